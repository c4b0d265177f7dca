"""Training readers: fine-tune, distil, cut the vocabulary, average, export. Needs the extra `train`.

Importing this package loads nothing heavy; its modules import torch when they are imported themselves.
"""
