"""A few sentences of our own for the demo submission of CELUE, in the formats of the five tasks (Apache-2.0)."""
