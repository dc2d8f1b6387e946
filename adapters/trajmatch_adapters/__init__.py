"""Adapters of trajmatch: histories of frameworks in, evaluators of harnesses out.

PYTEST_DONT_REWRITE: no assertion in here is one that a test is to see.
"""
