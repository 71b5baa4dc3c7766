"""How everything looks: the only place of colours, sizes, fonts and icons. Knows no payment."""
