// The list of matches, its filters, the address and the keyboard.

const VERDICTS = { "": "all", failed: "failed", passed: "passed" };
const MOST_OPEN = 20; // matches whose being open is kept in the address
const state = { verdict: "", tool: "", kinds: new Set(), search: "" };
const items = MATCHES.map((match, index) => ({ match, index, shown: true, open: false }));

// The list

function drawItem(item) {
  const { match } = item;
  const verdict = match.passed ? "passed" : "failed";
  const counts = DIFFERENCES.filter((kind) => match.counts?.[kind]).map((kind) =>
    make("span", { class: `count ${classOf(kind)}`, title: kind }, `${SIGNS[kind]} ${match.counts[kind]}`, said(` ${kind}`)));
  item.head = button({ "aria-expanded": "false" }, () => toggle(item),
    make("span", { class: `mark ${verdict}` }, match.passed ? "✓ pass" : "✗ fail"),
    make("span", { class: "name" }, match.name),
    make("span", { class: "counts" }, counts),
    make("span", { class: "score" }, match.score === undefined ? "" : match.score.toFixed(3)));
  item.element = make("li", {}, make("h2", {}, item.head));
  return item.element;
}

function toggle(item, open = !item.open) {
  item.open = open;
  item.head.setAttribute("aria-expanded", open);
  item.element.classList.toggle("is-open", open);
  if (!open) item.body?.remove();
  if (open && !item.body) {
    item.body = make("div", { class: "body" });
    near.observe(item.body);
    item.body.item = item;
  }
  if (open) item.element.append(item.body);
  write();
}

function fill(item) {
  near.unobserve(item.body);
  if (!item.body.childNodes.length) item.body.append(drawPicture(item.match));
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) fill(entry.target.item);
}, { rootMargin: "600px" });

// The filters

function textOf(item) {
  if (item.text === undefined) {
    const { name, above, stretches = [], below = [] } = item.match;
    const rows = stretches.flatMap(({ first = [], folded = [], last = [] }) => [...first, ...folded, ...last]);
    const sides = (side) => (side ? [side.whole ?? side.pieces.join("")] : []);
    const texts = rows.flatMap((row) => [...sides(row.expected), ...sides(row.actual), ...(row.remarks ?? [])]);
    item.text = [name, ...above, ...texts, ...below].join("\n").toLowerCase();
  }
  return item.text;
}

/** Make the texts that are searched while nobody waits for anything. */
function prepareSearch(at = 0) {
  const end = performance.now() + 8;
  while (at < items.length && performance.now() < end) textOf(items[at++]);
  if (at < items.length) setTimeout(prepareSearch, 0, at);
}

function fits(item, words) {
  const { match } = item;
  if (state.verdict && match.passed !== (state.verdict === "passed")) return false;
  if (!fitsRows(match.tools ?? {})) return false;
  return words.every((word) => textOf(item).includes(word));
}

/** Say whether there is a row of one of the kinds, or of any, that calls the tool, or any. */
function fitsRows(tools) {
  if (!state.tool && !state.kinds.size) return true;
  const kinds = state.kinds.size ? [...state.kinds] : Object.keys(tools);
  return kinds.some((kind) => tools[kind] && (!state.tool || tools[kind].includes(state.tool)));
}

function filter() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const item of items) {
    const shown = fits(item, words);
    count += shown;
    if (shown !== item.shown) item.element.hidden = !shown;
    item.shown = shown;
  }
  byId("shown").textContent = `${number(count)} of ${number(items.length)} matches shown`;
  byId("none").hidden = count > 0 || !items.length;
  reflect();
  write();
}

/** Make the controls say what the filters are. */
function reflect() {
  byId("search").value = state.search;
  byId("tool").value = state.tool;
  for (const each of byId("verdict").children) each.setAttribute("aria-pressed", each.value === state.verdict);
  for (const each of byId("kinds").children) each.setAttribute("aria-pressed", state.kinds.has(each.value));
  byId("clear").disabled = !(state.verdict || state.tool || state.kinds.size || state.search);
  byId("open").textContent = items.some((item) => item.shown && !item.open) ? "Open all" : "Close all";
}

function set(changes) {
  Object.assign(state, changes);
  filter();
}

// The address

let reading = false;
let writing;

/** Write the address soon; browsers refuse to do it with every key. */
function write() {
  clearTimeout(writing);
  if (!reading) writing = setTimeout(writeNow, 150);
}

function writeNow() {
  const given = new URLSearchParams();
  for (const name of ["verdict", "tool", "search"]) if (state[name]) given.set(name, state[name]);
  if (state.kinds.size) given.set("kind", [...state.kinds].join(","));
  const open = items.filter((item) => item.open).slice(0, MOST_OPEN).map((item) => item.index + 1);
  if (open.length) given.set("open", open.join(","));
  history.replaceState(null, "", `#${given}`);
}

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const kinds = (given.get("kind") ?? "").split(",").filter((kind) => Object.hasOwn(SIGNS, kind));
  const open = new Set((given.get("open") ?? "").split(",").map(Number));
  clearTimeout(writing);
  reading = true;
  set({
    verdict: Object.hasOwn(VERDICTS, given.get("verdict")) ? given.get("verdict") : "",
    tool: given.get("tool") ?? "",
    kinds: new Set(kinds),
    search: given.get("search") ?? "",
  });
  for (const item of items) if (open.has(item.index + 1) !== item.open) toggle(item);
  reading = false;
}

// The controls

function drawFilters() {
  const counts = { "": MATCHES.length, failed: MATCHES.length - PASSED, passed: PASSED };
  byId("verdict").append(...Object.entries(VERDICTS).map(([value, word]) =>
    button({ value }, () => set({ verdict: value }), `${word} ${number(counts[value])}`)));
  byId("kinds").append(...KINDS.map(([count, kind]) =>
    button({ value: kind, class: classOf(kind) }, () => flip(kind), make("b", {}, SIGNS[kind]), ` ${kind} ${number(count)}`)));
  const tools = new Set(MATCHES.flatMap((match) => Object.values(match.tools ?? {}).flat()));
  byId("tool").append(...[...tools].sort().map((tool) => make("option", { value: tool }, tool)));
  byId("tool").addEventListener("change", (event) => set({ tool: event.target.value }));
  byId("search").addEventListener("input", (event) => set({ search: event.target.value }));
  byId("clear").addEventListener("click", () => {
    set({ verdict: "", tool: "", kinds: new Set(), search: "" });
    byId("search").focus();
  });
  byId("open").addEventListener("click", toggleAll);
}

function flip(kind) {
  const kinds = new Set(state.kinds);
  if (!kinds.delete(kind)) kinds.add(kind);
  set({ kinds });
}

function toggleAll() {
  const shown = items.filter((item) => item.shown);
  const open = shown.some((item) => !item.open);
  reading = true;
  for (const item of shown) toggle(item, open);
  reading = false;
  reflect();
  write();
}

// The keyboard

const KEYS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const writing = event.target.matches("input, select");
  if (event.key === "Escape" && event.target === byId("search")) {
    event.target.blur();
    step(0);
  } else if (event.key === "/" && !writing) {
    byId("search").focus();
    byId("search").select();
  } else if (KEYS[event.key] && !writing && (event.key.length === 1 || event.target.matches("#matches h2 button"))) {
    step(KEYS[event.key]);
  } else {
    return;
  }
  event.preventDefault();
}

/** Focus the match so many steps from the one that has the focus; the first, where none has it. */
function step(by) {
  const shown = items.filter((item) => item.shown);
  const at = shown.findIndex((item) => item.element.contains(document.activeElement));
  const next = shown[at < 0 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)];
  next?.head.focus();
}

drawSummary();
drawFilters();
byId("skip").addEventListener("click", () => step(0));
byId("matches").append(...items.map(drawItem));
byId("empty").hidden = items.length > 0;
document.addEventListener("keydown", press);
new ResizeObserver(() => {
  document.body.style.setProperty("--tm-bar", `${byId("filters").offsetHeight}px`); // what has the focus is not below it
}).observe(byId("filters"));
addEventListener("hashchange", read);
addEventListener("beforeprint", () => items.filter((item) => item.open).forEach(fill));
read();
setTimeout(prepareSearch, 200);
