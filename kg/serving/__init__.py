"""`kg serve`: the viewer, a query page, and a read-only SPARQL 1.1 Protocol endpoint.

Separate processes evaluate the queries, so that a query that times out can be killed. Needs
starlette and uvicorn (`pip install 'citekg[serve]'`); only `citekg.serving.application` and
`citekg.serving.endpoint` import them.
"""
