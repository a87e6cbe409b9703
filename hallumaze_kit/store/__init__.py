"""The answer book: every pasted, played or paid-for answer, on disk before it is scored."""

from hallumaze_kit.store.book import AnswerBook, Rescored
from hallumaze_kit.store.rows import KNOWN_BEFORE, Event, StoredAnswer
from hallumaze_kit.store.transfer import Imported

__all__ = ["KNOWN_BEFORE", "AnswerBook", "Event", "Imported", "Rescored", "StoredAnswer"]
