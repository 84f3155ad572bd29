"""Results as text, as JSON, as a page with pictures, as a page of the book, and as a badge."""

from .badge import badge
from .document import as_json, runs, without_pictures
from .markdown import as_markdown, as_totals, put_into
from .page import as_html
from .text import as_text

__all__ = ["as_html", "as_json", "as_markdown", "as_text", "as_totals", "badge", "put_into", "runs", "without_pictures"]
