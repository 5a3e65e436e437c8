"""Tables as CSV and Parquet, whole and partitioned."""
