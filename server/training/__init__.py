"""How the packaged embedding model is made: collect, extract, tokenize, train, export."""
