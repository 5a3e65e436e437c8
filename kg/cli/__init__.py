"""The commands of `kg`, one per module, and the options that several of them share."""
