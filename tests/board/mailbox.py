"""A real SMTP server that keeps what it gets."""

from __future__ import annotations

import email
import email.policy
import re
import time
from email.message import EmailMessage
from typing import Any


class Inbox:
    """What aiosmtpd hands over; `full` lets the server take nothing for a while."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.full = False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd calls it so
        if self.full:
            return "452 try again later"
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage) and found["To"] == envelope.rcpt_tos[0]
        self.letters.append(found)
        return "250 OK"

    def links(self, to: str, kind: str) -> list[str]:
        """The addresses of a kind in the letters to somebody, without the host."""
        texts = "".join(one.get_content() for one in self.letters if one["To"] == to)
        return re.findall(rf"https?://[^/\s]+(/{kind}/?[\w-]+)", texts)

    def link(self, to: str, kind: str) -> str:
        """The newest one."""
        return self.links(to, kind)[-1]

    def wait_for(self, to: str, kind: str, patience: float = 30) -> str:
        """The same, when it has come."""
        end = time.monotonic() + patience
        while not self.links(to, kind):
            assert time.monotonic() < end, f"no letter to {to}"
            time.sleep(0.05)
        return self.link(to, kind)
