"""readproof proves that a machine reader really reads."""

__version__ = "0.1.0"
