"""Variants written by a language model: an `llm:` endpoint asked from a prompt file, its text checked like a rule's."""
