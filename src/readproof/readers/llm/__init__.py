"""Language models behind an OpenAI-compatible endpoint as readers: `llm:http://host:port/v1#model`."""

from readproof.readers.llm.reader import LanguageModelReader, open_llm

__all__ = ["LanguageModelReader", "open_llm"]
