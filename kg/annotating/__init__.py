"""`kg annotate`: a page on this machine in which annotators mark the entities of papers.

`order` chooses the papers, `session` gives the page what it shows, `annotation_file` keeps what the
annotators save, and `agreement` compares two annotators. Only `application` needs starlette.
"""
