"""Run the command `kg` as `python -m citekg`."""

from citekg.cli.process import run

if __name__ == "__main__":
    run()
