"""Who is at the till and what they may do: sign-in, sessions, passcodes, the list of people, approvals."""
