"""Adapters of trajmatch: histories of frameworks in, evaluators of harnesses out."""
