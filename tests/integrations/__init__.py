"""The tools that people already use, each with its real library."""
