"""Reading a finished graph: the class `Graph` and the functions behind its methods."""
