"""Run the command `kg` as `python -m citekg`."""

from citekg.cli.main import main

if __name__ == "__main__":
    main(prog_name="kg")
