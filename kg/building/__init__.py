"""Building a graph: extraction with a cache, linking, and the assembly of the records.

`pipeline` runs a build and `stages` lists its steps. Papers are extracted in this process, in
several (`execution.processes`) or on a Dask cluster (`execution.dask_cluster`). A folder caches
the extractions by text and by pipeline fingerprint (`incremental`). `assembling` builds in memory,
`out_of_core` on disk.
"""
