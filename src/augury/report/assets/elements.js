// Elements consist of text nodes and attributes only, so that no name in the data becomes markup.

const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const hidden = (text) => make("span", { class: "visually-hidden" }, text);

function writeNumber(value, decimals) {
  if (value === null || value === undefined) return "–";
  return value.toFixed(decimals).replace("-", "−");
}

function writeP(value) {
  if (value === null || value === undefined) return "–";
  return value < 0.0005 ? "< 0.001" : value.toFixed(3);
}

function announce(text) {
  byId("status").textContent = text;
}

function scrollBox(label, ...children) {
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);
}
