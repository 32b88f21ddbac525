"""From a query to ranked, explained places in the code."""
