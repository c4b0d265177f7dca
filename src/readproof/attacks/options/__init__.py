"""Attacks on the options of a question: variants that keep an option's truth, and variants that flip it."""
