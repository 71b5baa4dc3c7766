"""The store: what several counters told, received once, kept whole and shown to the shop's owner. No part of a till."""
