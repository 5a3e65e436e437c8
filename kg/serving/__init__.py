"""`kg serve`: the viewer, a query page, and a read-only SPARQL 1.1 Protocol endpoint.

Separate processes evaluate the queries, so that a query that times out can be killed. Needs
starlette and uvicorn (`pip install 'citekg[serve]'`); only `citekg.serving.application`,
`citekg.serving.endpoint`, `citekg.serving.edit_requests` and `citekg.serving.page_requests` import
them. With `--edit`, the viewer may change the decisions about the graph (`citekg.serving.editing`).
"""
