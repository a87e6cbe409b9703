"""`python -m hallumaze_kit`: the command line."""

from hallumaze_kit.cli import main

if __name__ == "__main__":
    main()
