"""Graph formats: node-link JSON, GraphML, GEXF, Cytoscape, Neo4j, igraph and networkx."""
