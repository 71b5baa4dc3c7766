"""The running payment and its result: QR code, request, stages, questions, actions."""
