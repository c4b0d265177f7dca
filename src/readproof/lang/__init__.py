"""What readproof knows of languages: words, entities, numbers and times, question words. One folder a language."""
