"""Install the folders of the checkout as one package, `citekg`; see pyproject.toml."""

from setuptools import find_packages, setup

FOLDERS = {
    "citekg": "kg",
    "citekg.extractors": "extractors",
    "citekg.schemas": "schemas",
    "citekg.exports": "exports",
}


def packages() -> list[str]:
    """Return the dotted names of all packages, below the installed names of their folders."""
    return [
        ".".join(filter(None, (name, below)))
        for name, folder in FOLDERS.items()
        for below in ("", *find_packages(folder))
    ]


setup(package_dir=FOLDERS, packages=packages())
