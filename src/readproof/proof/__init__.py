"""A reader proved: score, baselines, probes, attacks and a verdict, in a run folder. From Python: `readproof.prove`.

`plan` says what is asked, `runner` and `worker` ask it, `records` and `results` are what lies in the folder, `scoring`
and `verdict` are what comes of it.
"""
