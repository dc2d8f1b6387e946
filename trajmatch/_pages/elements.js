// Elements, and the picture of a match.

const { signs: SIGNS, matches: MATCHES } = JSON.parse(byId("data").textContent);

function byId(id) {
  return document.getElementById(id);
}

/** Make an element; text stays text, whatever it holds. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat());
  return element;
}

function button(attributes, action, ...children) {
  const element = make("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", action);
  return element;
}

function classOf(kind) {
  return `tm-${kind.replace(" ", "-")}`;
}

function number(count) {
  return count.toLocaleString("en");
}

function drawPicture({ passed, above, stretches = [], below = [], signature }) {
  const head = make("tr", {}, make("th", { class: "tm-sign" }, said("kind")), column("expected"), column("actual"));
  const bodies = stretches.map((stretch) => make("tbody", {}, drawStretch(stretch)));
  return make("div", { class: "trajmatch" },
    above.map((text, at) => make("p", { class: at ? "tm-note" : `tm-head tm-${passed ? "passed" : "failed"}` }, text)),
    bodies.length ? make("table", { class: "tm-rows" }, make("thead", {}, head), bodies) : [],
    below.map((text) => make("p", { class: "tm-note" }, text)),
    signature ? make("p", { class: "signature" }, make("code", {}, signature)) : []);
}

function column(name) {
  return make("th", { scope: "col" }, name);
}

function said(text) {
  return make("span", { class: "tm-said" }, text);
}

function drawStretch({ first = [], folded = [], last = [], word }) {
  return [...first.map(drawRow), ...(folded.length ? [drawFolded(folded, word)] : []), ...last.map(drawRow)];
}

function drawFolded(rows, word) {
  const details = make("details", {}, make("summary", {}, `${number(rows.length)} more ${word}`));
  const draw = () => details.append(make("table", { class: "tm-rows" }, make("tbody", {}, rows.map(drawRow))));
  details.addEventListener("toggle", draw, { once: true });
  return make("tr", { class: "tm-fold" }, make("td", { colspan: "3" }, details));
}

function drawRow({ kind, expected, actual, remarks = [] }) {
  const sides = [drawSide(expected), drawSide(actual)];
  const told = remarks.length ? [make("ul", { class: "tm-remarks" }, remarks.map((text) => make("li", {}, text)))] : [];
  sides[actual && !expected ? 0 : 1].push(...told);
  return make("tr", { class: classOf(kind) },
    make("td", { class: "tm-sign" }, SIGNS[kind], said(` ${kind}`)),
    make("td", { class: "tm-expected" }, sides[0]),
    make("td", { class: "tm-actual" }, sides[1]));
}

function drawSide(side) {
  if (!side) return [];
  const parts = side.pieces.map((piece, at) => (at % 2 && piece ? make("mark", {}, piece) : piece));
  const whole = side.whole
    ? [make("details", { class: "tm-whole" }, make("summary", {}, "whole text"), make("code", {}, side.whole))]
    : [];
  return [make("code", {}, parts), ...whole];
}
