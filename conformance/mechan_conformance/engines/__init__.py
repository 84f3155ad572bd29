"""Adapters of engines, one file each; `mechan_conformance.engine` says what an adapter is."""
