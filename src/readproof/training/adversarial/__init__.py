"""Hardening: a trained span reader goes on learning from what attacks make of its own training questions.

Every epoch the attacks are renewed against the reader as it is then. Importing this package loads nothing heavy;
`readproof.training.adversarial.harden` has the one function that does it all.
"""
