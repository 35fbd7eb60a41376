"""The browser and axe-core of the tests of the report."""

from tests.report.conftest import axe, browser

__all__ = ["axe", "browser"]
