"""Panels for notebooks and web pages: each a thin face of ipywidgets on a plain-Python state object."""
