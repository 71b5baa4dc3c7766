"""The owner's page: drawn here as HTML and SVG, read in a browser. Knows no payment but what the store was told."""
