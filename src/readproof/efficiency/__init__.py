"""What reading costs: the modules a reader passed, their FLOPs and parameters, and the ELUE score against a curve."""
