"""Who is at the till: sign-in, passcode, code by SMS, the person’s own menu."""
