"""Searching with a reader: how variants are judged, and how better ones are found within a budget."""
