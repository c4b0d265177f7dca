"""Where the shared data lie, beside the project's checkout; a user's clone has none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED: Path = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared, which a user's clone does not have")
