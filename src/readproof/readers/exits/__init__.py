"""Readers that may stop early: a head after every stage of the encoder, and a rule that says when an answer is sure."""
