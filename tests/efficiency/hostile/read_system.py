# ruff: noqa
"""Reads what tells about the host."""

from pathlib import Path

for name in ("shadow", "passwd", "hostname", "hosts", "ssh/sshd_config", "machine-id", "resolv.conf"):
    attempt(name, lambda: (Path("/etc") / name).read_bytes())
for name in ("/var/log", "/sys", "/run", "/boot", "/srv", "/opt/secret", "/mnt"):
    attempt(name, lambda: list(Path(name).iterdir()))
