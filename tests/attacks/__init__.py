"""What an attacker would try, each file named by the attack; must fail visibly and lose nothing."""
