"""The service layer over real sockets; what a network or a gateway may do is played by a raw server."""
