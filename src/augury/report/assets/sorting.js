// Sorting of static tables by a click on a heading.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

const opposite = { ascending: "descending", descending: "ascending" };

// Absent values are last in both orders.
function compareValues(a, b, direction) {
  const absent = (value) => value === null || value === undefined || value === "";
  if (absent(a) || absent(b)) return Number(absent(a)) - Number(absent(b));
  const order = typeof a === "number" ? a - b : collator.compare(a, b);
  return direction === "ascending" ? order : -order;
}

function readValue(cell) {
  const text = cell.dataset.value;
  return cell.tagName === "TH" || text === "" ? text : Number(text);
}

function makeSortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  headings.forEach((heading, i) => {
    const title = heading.textContent;
    const button = make("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const direction = before ? opposite[before] : heading.dataset.first;
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction);
      const rows = [...body.rows];
      rows.sort((a, b) => compareValues(readValue(a.cells[i]), readValue(b.cells[i]), direction));
      body.append(...rows);
      announce(`Sorted by ${title}, ${direction}.`);
    });
    heading.replaceChildren(button);
  });
}
