"""Real processes under real harm: kills, a bad line, failing disks, power cuts, tampering; not in make test."""
