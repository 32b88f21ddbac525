"""From a folder of files to chunks, symbols, tokens and vectors in the stores."""
