"""What is made of frames: agreement of readings, hints, detection, the document's experiments."""
