"""Where the board listens: known before it says that it serves."""

from __future__ import annotations

import socket

import pytest

from readproof.board.serving import listening
from readproof.errors import InputError


def test_pages_do_not_wait_for_acknowledgements() -> None:
    (server,) = listening("127.0.0.1", 0)
    with server, socket.create_connection(server.getsockname()), server.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_told() -> None:
    (server,) = listening("127.0.0.1", 0)
    with server, pytest.raises(InputError, match="cannot be listened at"):
        listening("127.0.0.1", server.getsockname()[1])
