"""The version of Brocante, where building it can read it without importing the rest."""

VERSION = "0.1.0"
