"""`kg annotate`: a local web page in which annotators mark the entities of papers.

`order` selects the papers, `session` provides the data of the page, `annotation_file` stores the
annotations, and `agreement` compares two annotators. Only `application` needs starlette.
"""
