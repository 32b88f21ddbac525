"""What coding agents are offered: tools with described arguments, answered in plain text of bounded size."""
