"""Training the reader of options: a verifier that says of each option whether it is true of the passage."""
