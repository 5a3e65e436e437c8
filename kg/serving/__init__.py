"""`kg serve`: the viewer, a page to write queries on, and a read-only SPARQL 1.1 Protocol endpoint.

Processes of their own answer the queries, so that one that takes too long can be ended. Needs
starlette and uvicorn (`pip install 'citekg[serve]'`); only `citekg.serving.application` and
`citekg.serving.endpoint` import them.
"""
