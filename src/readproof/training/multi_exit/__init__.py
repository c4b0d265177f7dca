"""Multi-exit readers: our own encoder with a head after every layer, trained so that each of them can answer."""
