"""The pages of tournaments: one query or service call each. Everything works without scripts."""
