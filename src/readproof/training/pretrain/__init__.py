"""An encoder from plain text alone: word pieces, masked words, selected spans. Needs the extra `train`.

Importing this package loads nothing heavy; its modules import torch when they are imported themselves.
"""
