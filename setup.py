"""Install the folders of the checkout as one package, `citekg`; see pyproject.toml."""

from setuptools import Extension, find_packages, setup

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


#: A library of C functions. It does not use the interface of Python, so one file serves all
#: versions. Without a C compiler it is left out, and numpy computes the same.
KERNELS = Extension(
    "citekg.extractors.candidates._convolutions",
    ["extractors/candidates/convolutions.c"],
    depends=[
        "extractors/candidates/convolutions_kernel.h",
        "extractors/candidates/convolutions_products.h",
        "extractors/candidates/convolutions_winograd.h",
    ],
    extra_compile_args=["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno"],
    py_limited_api=True,
    optional=True,
)

setup(
    package_dir=FOLDERS,
    packages=packages(),
    ext_modules=[KERNELS],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
