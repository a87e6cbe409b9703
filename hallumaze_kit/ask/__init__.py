"""The one door to language models: messages in, answers and outcomes out (on Inspect AI, which is loaded on use).

    from hallumaze_kit.ask import LLM, ask

    reply = ask(LLM("openai/gpt-4o"), [{"role": "user", "content": "…"}])
    reply.outcome, reply.text

Keys come from the environment and are never written: what a server sends back, text or error, is searched for them
before anything is kept.
"""

from hallumaze_kit.ask.models import LLM, ask, guarded, key_variable, open_model, open_role, options_set, reply_to
from hallumaze_kit.ask.providers import register_provider
from hallumaze_kit.ask.replies import FATAL, KEPT, OUTCOMES, AskError, Reply, one_line

__all__ = [
    "FATAL",
    "KEPT",
    "LLM",
    "OUTCOMES",
    "AskError",
    "Reply",
    "ask",
    "guarded",
    "key_variable",
    "one_line",
    "open_model",
    "open_role",
    "options_set",
    "register_provider",
    "reply_to",
]
