"""Where training runs: a CUDA GPU if there is one, else the CPU."""

from __future__ import annotations

import os

import torch


def pick_device() -> torch.device:
    """The device, set up so that the same run gives the same weights on it again, as far as it can promise that."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    torch.set_float32_matmul_precision("high")
    torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan anew for every length of window
    return torch.device("cuda")


def device_name(device: torch.device) -> str:
    """The device in words, for the notes beside the weights."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
