"""Attacks: each turns an item into variants whose truth is known. `ATTACKS` knows them by name."""

from __future__ import annotations

from readproof.attacks.base import Attack, AttackOutput, SearchAttack
from readproof.attacks.known import ATTACKS, make_attack

__all__ = ["ATTACKS", "Attack", "AttackOutput", "SearchAttack", "make_attack"]
