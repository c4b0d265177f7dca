"""How a long passage is cut into windows: the same for training and for reading."""

from __future__ import annotations


def spread(length: int, capacity: int, overlap: int) -> list[tuple[int, int]]:
    """Even pieces that cover `length` tokens, each at most `capacity` long and sharing `overlap` with the next."""
    if length <= capacity:
        return [(0, length)]
    overlap = min(overlap, capacity // 2)
    pieces = -(-(length - overlap) // (capacity - overlap))
    size = -(-(length + (pieces - 1) * overlap) // pieces)
    starts = [min(at * (size - overlap), length - size) for at in range(pieces)]
    return [(start, start + size) for start in starts]
