"""The real till sells for an hour or more; memory, descriptors and threads must stay flat."""
