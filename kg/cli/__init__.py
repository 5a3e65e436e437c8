"""The commands of `kg`, one a module, and the options that several of them share."""
