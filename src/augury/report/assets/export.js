// Export of the shown table as LaTeX, Markdown or CSV.

const escapes = {
  latex: (text) => {
    const words = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
    return text.replace(/[\\~^&%$#_{}]/g, (sign) => words[sign] || `\\${sign}`).replace(/\s+/g, " ");
  },
  markdown: (text) => text.replace(/[\\`*_{}[\]<>|#~&]/g, "\\$&").replace(/\s+/g, " "),
  csv: (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
};

const writers = {
  latex(shown) {
    const write = escapes.latex;
    const signs = { [WORSE]: "\\,$\\bullet$", [BETTER]: "\\,$\\circ$", "": "" };
    const cell = (c) => {
      const mean = c.best ? `\\textbf{${c.text}}` : c.text;
      return (c.std ? `${mean} $\\pm$ ${c.std}` : mean) + signs[c.mark];
    };
    const line = (cells) => `${cells.join(" & ")} \\\\`;
    return [
      "% needs \\usepackage{booktabs}",
      `\\begin{tabular}{l${"r".repeat(shown.columns.length)}}`,
      "\\toprule",
      line(["Data set", ...shown.names.map(write)]),
      "\\midrule",
      ...shown.rows.map((row) => line([write(row.name), ...row.cells.map(cell)])),
      "\\midrule",
      ...shown.footer.map((row) => line([write(row.title), ...row.cells])),
      "\\bottomrule",
      "\\end{tabular}",
      `% ${shown.measure.title}. $\\bullet$ significantly worse, $\\circ$ significantly better than ${write(shown.reference)}`,
      "",
    ].join("\n").replaceAll("–", "--");
  },
  markdown(shown) {
    const write = escapes.markdown;
    const cell = (c) => {
      const mean = c.best ? `**${c.text}**` : c.text;
      return (c.std ? `${mean} ± ${c.std}` : mean) + (c.mark ? ` ${c.mark}` : "");
    };
    const line = (cells) => `| ${cells.join(" | ")} |`;
    return [
      line(["Data set", ...shown.names.map(write)]),
      line(["---", ...shown.columns.map(() => "---:")]),
      ...shown.rows.map((row) => line([write(row.name), ...row.cells.map(cell)])),
      ...shown.footer.map((row) => line([write(row.title), ...row.cells])),
      "",
      `${shown.measure.title}. ${WORSE} significantly worse, ${BETTER} significantly better than ${write(shown.reference)}.`,
      "",
    ].join("\n");
  },
  csv(shown) {
    const line = (cells) => cells.map((cell) => escapes.csv(String(cell))).join(",");
    const words = { [WORSE]: "worse", [BETTER]: "better", "": "" };
    const plain = (text) => text.replace("−", "-").replace("–", "");
    return [
      line(["data set", ...shown.names.flatMap((name) => [name, `${name} std`, `${name} mark`])]),
      ...shown.rows.map((row) => line([row.name, ...row.cells.flatMap((c) => [plain(c.text), plain(c.std), words[c.mark]])])),
      ...shown.footer.map((row) => line([row.title, ...row.cells.flatMap((text) => [plain(text), "", ""])])),
      "",
    ].join("\n");
  },
};

const fileEndings = { latex: "tex", markdown: "md", csv: "csv" };
const fileTypes = { latex: "application/x-tex", markdown: "text/markdown", csv: "text/csv" };

const chosenFormat = () => document.querySelector('input[name="format"]:checked').value;

const exportText = () => writers[chosenFormat()](shownTable());

async function copyText(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The clipboard is not allowed here: the older method is tried.
    }
  }
  const area = make("textarea", { class: "visually-hidden", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function confirmOn(button, text) {
  const before = button.dataset.text || button.textContent;
  button.dataset.text = before;
  button.textContent = text;
  announce(text);
  setTimeout(() => { button.textContent = before; }, 1600);
}

atStart(() => {
  const preview = byId("preview");
  const refresh = () => {
    if (preview.open) preview.querySelector("pre").textContent = exportText();
  };
  byId("copy").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    if (await copyText(exportText())) {
      confirmOn(button, "Copied");
      return;
    }
    preview.open = true;
    refresh();
    announce("Copying is not allowed here; the text is shown below.");
  });
  byId("download").addEventListener("click", (event) => {
    const format = chosenFormat();
    const address = URL.createObjectURL(new Blob([exportText()], { type: `${fileTypes[format]};charset=utf-8` }));
    const link = make("a", { href: address, download: `augury-${state.measure}.${fileEndings[format]}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    confirmOn(event.currentTarget, "Saved");
  });
  document.querySelector(".export").addEventListener("submit", (event) => event.preventDefault());
  for (const input of document.querySelectorAll('input[name="format"]')) input.addEventListener("change", refresh);
  preview.addEventListener("toggle", refresh);
  onChange(refresh);
});
