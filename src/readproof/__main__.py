"""`python -m readproof`: the command line, where the script is not on the path."""

from readproof.cli.main import main

if __name__ == "__main__":
    main()
