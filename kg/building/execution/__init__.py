"""Where papers are read: this process, several processes, a Dask cluster."""
