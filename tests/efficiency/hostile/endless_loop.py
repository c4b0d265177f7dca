# ruff: noqa
"""Never ends."""

while True:
    pass
