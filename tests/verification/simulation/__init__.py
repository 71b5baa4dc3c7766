"""The till in a world of seeds: virtual time, a faulty network, a model of the service, a checker of histories."""
