"""The sentences above the methods: why no payment may start, what became of a parked one."""
