"""The board's pages and its interface for programs."""
