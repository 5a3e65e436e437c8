"""XML of arXiv: feeds, and harvests in three formats."""

from __future__ import annotations

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query: kites</title>
  <id>http://arxiv.org/api/x</id>
"""
ENTRY = """  <entry>
    <id>http://arxiv.org/abs/2405.00001v2</id>
    <updated>2024-06-01T00:00:00Z</updated>
    <published>2024-05-06T17:59:59Z</published>
    <title>Kites &amp;
  Things</title>
    <summary>  We describe a kite that learns to fly.
It stays up for an hour.
    </summary>
    <author><name>Ada Lark</name></author>
    <author>
      <name>Bo Wren</name>
      <arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Sky</arxiv:affiliation>
    </author>
    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/kites.1</arxiv:doi>
    <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">Sky 1 (2024)</arxiv:journal_ref>
    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">3 pages, see https://kites.example</arxiv:comment>
    <link href="http://arxiv.org/abs/2405.00001v2" rel="alternate" type="text/html"/>
  </entry>
"""
HARVEST = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<responseDate>2024-06-02T00:00:00Z</responseDate>
<ListRecords>
"""
HEADER = "<header><identifier>oai:arXiv.org:2405.00001</identifier><datestamp>2024-06-01</datestamp></header>"
RECORD = f"""<record>{HEADER}<metadata>
 <arXiv xmlns="http://arxiv.org/OAI/arXiv/" xsi:schemaLocation="http://arxiv.org/OAI/arXiv/ x.xsd">
 <id>2405.00001</id><created>2024-05-06</created><updated>2024-06-01</updated>
 <authors><author><keyname>Lark</keyname><forenames>Ada</forenames></author>
 <author><keyname>Wren</keyname><forenames>Bo</forenames><suffix>Jr</suffix></author></authors>
 <title>Kites</title><journal-ref>Sky 1 (2024)</journal-ref><doi>10.1000/kites.1</doi>
 <abstract>  {ABSTRACT}</abstract></arXiv>
</metadata></record>
"""
RAW = f"""<record>{HEADER}<metadata>
 <arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">
 <id>2405.00001</id><submitter>Ada Lark</submitter>
 <version version="v1"><date>Mon, 6 May 2024 17:59:59 GMT</date><size>9kb</size></version>
 <version version="v2"><date>Sat, 1 Jun 2024 00:00:00 GMT</date><size>9kb</size></version>
 <title>Kites</title><authors>Ada Lark, Bo Wren and Cy Owl</authors>
 <abstract>{ABSTRACT}</abstract></arXivRaw>
</metadata></record>
"""
DUBLIN = f"""<record>{HEADER}<metadata>
 <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <dc:title>Kites</dc:title><dc:creator>Lark, Ada</dc:creator><dc:creator>Wren, Bo</dc:creator>
 <dc:description>{ABSTRACT}</dc:description><dc:description>Comment: 3 pages</dc:description>
 <dc:date>2024-05-06</dc:date><dc:identifier>http://arxiv.org/abs/2405.00001</dc:identifier></oai_dc:dc>
</metadata></record>
"""
DELETED = (
    '<record><header status="deleted"><identifier>oai:arXiv.org:1</identifier></header></record>\n'
)
