"""Where a subject stands while its walk is replayed."""
