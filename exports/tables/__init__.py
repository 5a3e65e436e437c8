"""Export of tables as CSV and Parquet, and of graphs in partitions."""
