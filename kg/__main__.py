"""`python -m citekg` is the command `kg`."""

from citekg.cli.main import main

if __name__ == "__main__":
    main(prog_name="kg")
