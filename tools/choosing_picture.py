"""Draw docs/figures/choosing.svg: questions about a table, and the models that suit the answer.

The colours are those of the report page. Inside the site they follow the light or dark theme, by
the variables of the theme; a viewer without these variables shows the light colours.
"""

from html import escape
from pathlib import Path

from augury.report.palette import FILE

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "figures" / "choosing.svg"

# The question, the models of the answer yes, and the reason.
STEPS = (
    (
        ("Are the rows texts,", "or counts of events?"),
        "MultinomialNaiveBayes, BernoulliNaiveBayes",
        "a sparse matrix stays sparse; texts with a title: RegionLogisticRegression",
    ),
    (
        ("Is the table larger", "than the memory?"),
        "nb, hnb, aode, tan, lr, hybrid",
        "sums over the rows are enough: augury.scale, also on a Dask cluster",
    ),
    (
        ("Must a person be able", "to read the model?"),
        "nb, lr, gam (points), c45 (rules), tan, bn (a network)",
        "contributions of the columns, a nomogram, rules, a drawing",
    ),
    (
        ("Are the numbers", "roughly normal?"),
        "lda, rda, qda, mda",
        "few parameters, so few rows are enough while the assumption holds",
    ),
    (
        ("Must fit and predict", "be fast?"),
        "hybrid, random-trees, hnb, or augury with effort=“fast”",
        "good probabilities in a fraction of the time",
    ),
)
OTHERWISE = (
    "augury (HybridClassifier)",
    "the best mean rank in accuracy and in log loss on 36 sets",
)
WIDTH, LEFT, GAP, ROW, BOX, MARGIN = 760, 190, 66, 92, 58, 10

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
  aria-label="Questions about a table, and the models that suit it"
  font-family="system-ui, sans-serif" font-size="14">
<defs><marker id="choosing-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"
  markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" style="fill:{tip}"/></marker></defs>"""


def colour(variable: str, light: str) -> str:
    """Return a colour that follows the theme of the site."""
    return f"var(--pst-color-{variable}, {light})"


def box(x: float, y: float, width: float, stroke: str) -> str:
    """Return a box with round corners."""
    fill = colour("surface", "#f6f8fa")
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{BOX}" rx="6" '
        f'style="fill:{fill};stroke:{stroke}" stroke-width="1.5"/>'
    )


def text(x: float, y: float, content: str, style: str = "") -> str:
    """Return a line of text."""
    fill = colour("text-base", FILE.ink)
    return f'<text x="{x}" y="{y}" style="fill:{fill};{style}">{escape(content)}</text>'


def arrow(x1: float, y1: float, x2: float, y2: float, label: str) -> str:
    """Return an arrow with a word beside it."""
    stroke = colour("text-muted", FILE.faint_ink)
    x, y = (x1 + 8, (y1 + y2) / 2 + 4) if x1 == x2 else ((x1 + x2) / 2 - 12, y1 - 6)
    return (
        f'<path d="M{x1} {y1} L{x2} {y2}" style="stroke:{stroke}" marker-end="url(#choosing-tip)"/>'
        + text(x, y, label, f"font-size:12px;fill:{stroke}")
    )


def draw() -> str:
    """Return the picture."""
    height = ROW * len(STEPS) + BOX + 2 * MARGIN
    right = LEFT + GAP
    blue, orange = colour("primary", FILE.series[0]), colour("secondary", FILE.series[1])
    parts = [HEAD.format(width=WIDTH, height=height, tip=colour("text-muted", FILE.faint_ink))]
    answers = [*((models, reason) for _, models, reason in STEPS), OTHERWISE]
    for i, (models, reason) in enumerate(answers):
        y = MARGIN + i * ROW
        is_last = i == len(STEPS)
        x = MARGIN if is_last else right
        if not is_last:
            parts.append(box(MARGIN, y, LEFT - MARGIN, blue))
            parts += [
                text(MARGIN + 12, y + 25 + 18 * k, line) for k, line in enumerate(STEPS[i][0])
            ]
            parts.append(arrow(LEFT, y + BOX / 2, right - 2, y + BOX / 2, "yes"))
            parts.append(arrow(LEFT / 2, y + BOX, LEFT / 2, y + ROW - 2, "no"))
        parts.append(box(x, y, WIDTH - MARGIN - x, orange))
        parts.append(text(x + 12, y + 25, models, "font-weight:600"))
        parts.append(text(x + 12, y + 44, reason, "font-size:13px"))
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
