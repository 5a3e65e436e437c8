"""Graph files and folders, here and on other machines."""
