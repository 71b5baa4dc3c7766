"""Who may read the owner's page: accounts, passwords, second factors, sessions, and what each may see."""
