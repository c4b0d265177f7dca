"""The Persian study of attacked readers done again: its evaluation, its training, and the artefact in its scoring."""
