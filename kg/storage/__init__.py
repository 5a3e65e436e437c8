"""Local and remote storage of graph files and folders."""
