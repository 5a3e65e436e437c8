"""The folders of the checkout are one package, `citekg`; everything else stands in pyproject.toml."""

from setuptools import find_packages, setup

FOLDERS = {"citekg": "kg", "citekg.extractors": "extractors", "citekg.schemas": "schemas", "citekg.exports": "exports"}


def packages() -> list[str]:
    """Return the dotted names of all packages, each below the name that its folder is installed as."""
    return [
        ".".join(filter(None, (name, below)))
        for name, folder in FOLDERS.items()
        for below in ("", *find_packages(folder))
    ]


setup(package_dir=FOLDERS, packages=packages())
