"""What people work with in a notebook: each panel wraps a plain-Python state that is tested without a browser."""
