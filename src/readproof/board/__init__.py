"""The board: shared tasks on the web, from registration to prizes. Needs the extra [board].

>>> from readproof.board.board import open_board
>>> open_board("my-board").competitions               # doctest: +SKIP
"""
