// The summary: how many passed, which tools differ.

const DIFFERENCES = ["near miss", "missing", "extra", "retried", "moved", "forbidden"];
const MOST_TOOLS = 8; // tools in the summary
const PASSED = MATCHES.filter((match) => match.passed).length;
const KINDS = DIFFERENCES.map((kind) => [matchesWith(kind), kind]).filter(([count]) => count).sort((a, b) => b[0] - a[0]);

function drawSummary() {
  const graded = MATCHES.filter((match) => match.score !== undefined);
  const tools = countTools();
  byId("summary").append(
    make("div", { class: "tiles" },
      tile(`${number(PASSED)} of ${number(MATCHES.length)}`, "passed", bar(PASSED / MATCHES.length)),
      graded.length ? tile(mean(graded).toFixed(3), `mean score of ${number(graded.length)} graded`, several(graded)) : []),
    tools.length ? drawTools(tools) : []);
  byId("summary").hidden = byId("filters").hidden = !MATCHES.length;
}

function bar(part) {
  const filled = make("div", {});
  filled.style.width = `${100 * part}%`;
  return make("div", { class: "bar", "aria-hidden": "true" }, filled);
}

function mean(graded) {
  return graded.reduce((sum, match) => sum + match.score, 0) / graded.length;
}

/** Scores are comparable where their signatures are equal. */
function several(graded) {
  const count = new Set(graded.map((match) => match.signature)).size;
  return count > 1 ? make("em", {}, `of ${count} signatures, so not comparable`) : [];
}

function tile(value, word, more) {
  return make("div", { class: "tile" }, make("strong", {}, value), make("span", {}, word), more);
}

function matchesWith(kind, tool) {
  return MATCHES.filter(({ tools }) => tools?.[kind] && (!tool || tools[kind].includes(tool))).length;
}

function countTools() {
  const counts = new Map();
  for (const { tools = {} } of MATCHES) {
    const differing = new Set(DIFFERENCES.flatMap((kind) => tools[kind] ?? []));
    for (const tool of differing) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([tool]) => tool);
}

function drawTools(tools) {
  const kinds = KINDS.map(([, kind]) => kind);
  const cell = (kind, tool) => {
    const count = matchesWith(kind, tool);
    const label = `${tool}, ${kind}: ${count} matches`;
    return make("td", {}, count ? button({ "aria-label": label }, () => set({ tool, kinds: new Set([kind]) }), number(count)) : []);
  };
  const line = (tool) => make("tr", {},
    make("th", { scope: "row" }, button({}, () => set({ tool, kinds: new Set() }), make("code", {}, tool))),
    kinds.map((kind) => cell(kind, tool)));
  return make("table", { class: "tools" },
    make("caption", {}, "Tools that differ most, in matches"),
    make("thead", {}, make("tr", {}, column("tool"), kinds.map(drawHead))),
    make("tbody", {}, tools.slice(0, MOST_TOOLS).map(line)));
}

function drawHead(kind) {
  return make("th", { scope: "col", class: classOf(kind) }, make("b", {}, SIGNS[kind]), make("span", {}, ` ${kind}`));
}
