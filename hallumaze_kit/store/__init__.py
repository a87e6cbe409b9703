"""The answer book: every pasted, played or paid-for answer, on disk before it is scored."""

from hallumaze_kit.store.book import AnswerBook, Rescored
from hallumaze_kit.store.lock import BookBusy
from hallumaze_kit.store.rows import KNOWN_BEFORE, TRIAL_KEY, Event, StoredAnswer, counted
from hallumaze_kit.store.transfer import Imported

__all__ = [
    "KNOWN_BEFORE", "TRIAL_KEY", "AnswerBook", "BookBusy", "Event", "Imported", "Rescored", "StoredAnswer", "counted",
]  # fmt: skip
