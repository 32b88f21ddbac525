"""What clients ask for, as JSON: read with a sentence for every mistake, whatever protocol carried it."""
