# ruff: noqa
"""Calls out: to a server of the host, and to the world."""

import socket

for family, address in (
    (socket.AF_INET, ("127.0.0.1", TARGET["port"])),
    (socket.AF_INET, ("1.1.1.1", 80)),
    (socket.AF_INET6, ("::1", TARGET["port"])),
):

    def call():
        with socket.socket(family) as caller:
            caller.settimeout(0.5)
            caller.connect(address)

    attempt(f"connect {address}", call)


def shout():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller:
        caller.sendto(b"secret", ("127.0.0.1", TARGET["port"]))


attempt("datagram", shout)
