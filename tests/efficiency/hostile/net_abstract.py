# ruff: noqa
"""Calls a service of the host by a Unix socket, one without a file and one with."""

import socket


def call(address):
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(0.5)
        caller.connect(address)


attempt("abstract socket", lambda: call("\0" + TARGET["abstract"]))
attempt("socket file", lambda: call(TARGET["socket_file"]))
