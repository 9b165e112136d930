"""The files with checks. Each has lists CHECKS and LAST, and may say of its subjects:

VIEWS: what must be on the page before a subject is looked at, as {subject: selector}.
SHEETS: sheets to look at, as (name, subject, selector to click, selector to await)."""

import importlib
import pathlib


def modules():
    found = [importlib.import_module(file.stem) for file in sorted(pathlib.Path(__file__).parent.glob("*.py")) if file.stem not in ("page", "modules")]
    return [module for module in found if hasattr(module, "CHECKS")]
