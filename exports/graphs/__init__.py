"""Formats of graph programs: node-link JSON, GraphML, GEXF, Cytoscape, Neo4j, igraph, networkx."""
