# ruff: noqa
"""Opens a door to the host."""

import socket
import time


def listen():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("0.0.0.0", TARGET["free_port"]))
    server.listen()
    time.sleep(0.3)


attempt("listen", listen)
