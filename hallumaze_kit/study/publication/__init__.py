"""What goes into a paper: tables in LaTeX, Markdown and CSV."""

from hallumaze_kit.study.publication.tables import as_latex, as_markdown, write_table

__all__ = ["as_latex", "as_markdown", "write_table"]
