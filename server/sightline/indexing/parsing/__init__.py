"""What a file is made of: definitions, chunks, facts and search terms."""
