# ruff: noqa
"""Tries the families that a network namespace does not hold: vsock leads to a virtual machine's host."""

import socket

for name in ("AF_VSOCK", "AF_NETLINK", "AF_PACKET", "AF_ALG", "AF_BLUETOOTH", "AF_CAN", "AF_TIPC"):
    if hasattr(socket, name):
        attempt(name, lambda: socket.socket(getattr(socket, name), socket.SOCK_DGRAM if name != "AF_ALG" else 5, 0))
        attempt(name, lambda: socket.socket(getattr(socket, name), socket.SOCK_STREAM, 0))
