// The browser of failures: unpacked once, filtered in memory, ten on a page.

const PER_PAGE = 10;
const packed = byId("packed");
let texts = [], cases = [], shown = [], page = 0, folded = null;

async function unpacked() {
  const binary = atob(packed.textContent);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const fold = value => value.normalize("NFKC").toLowerCase();

function prepared() {
  if (folded) return folded;
  const own = one => [one.id, one.strategy, ...(one.golds || []), one.after.text, one.before && one.before.text, one.sanitised && one.sanitised.text,
    one.hardened && one.hardened.text, ...(one.passageEdits || []).map(edit => edit[2]), ...(one.questionEdits || []).map(edit => edit[2]),
    ...(one.options || []).flatMap(option => (option.edits || []).map(edit => edit[2]))];
  folded = { texts: texts.map(fold), own: cases.map(one => fold(own(one).filter(Boolean).join("\n"))) };
  return folded;
}

function filtered(wish) {
  const words = fold(wish.q).split(/\s+/).filter(Boolean);
  const index = words.length ? prepared() : null;
  const inTexts = words.map(word => index.texts.map(one => one.includes(word)));
  const has = (at, word) => {
    const one = cases[at], hits = inTexts[word];
    return index.own[at].includes(words[word]) || hits[one.passage] || hits[one.question] || (one.options || []).some(option => hits[option.text]);
  };
  const found = [];
  cases.forEach((one, at) => {
    const fits = (!wish.attack || one.attack === wish.attack) && (!wish.kind || one.kind === wish.kind) && (!wish.type || one.type === wish.type);
    if (fits && words.every((_, word) => has(at, word))) found.push(at);
  });
  return found;
}

const form = byId("filters");
const wishNow = () => Object.fromEntries(["attack", "kind", "type", "q"].map(name => [name, form.elements[name].value.trim()]));

function fillSelects() {
  const name = { attack: attackName, kind: value => said("kind." + value), type: value => said("type." + value) };
  for (const field of ["attack", "kind", "type"]) {
    const select = form.elements[field], kept = select.value, counts = new Map();
    for (const one of cases) counts.set(one[field], (counts.get(one[field]) || 0) + 1);
    select.replaceChildren(make("option", { value: "" }, said("filter.all")),
      ...[...counts].map(([value, count]) => make("option", { value }, spelt(name[field](value)).textContent + " (" + count + ")")));
    select.value = counts.has(kept) ? kept : "";
  }
}

function render() {
  const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
  page = Math.max(0, Math.min(page, pages - 1));
  byId("count").textContent = shown.length ? said("browser.count", { shown: shown.length, all: cases.length }) : said("browser.no-match");
  byId("list").replaceChildren(...shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((at, index) => card(cases[at], page * PER_PAGE + index)));
  byId("pages").hidden = pages < 2;
  byId("place").textContent = said("browser.page", { page: page + 1, pages });
  for (const button of all("#pages [data-go]")) button.disabled = ["first", "previous"].includes(button.dataset.go) ? page === 0 : page === pages - 1;
}

function keepAddress() {
  const wish = wishNow(), told = new URLSearchParams(Object.entries(wish).filter(([, value]) => value));
  if (page) told.set("page", page + 1);
  const hash = told.size ? "#cases?" + told : location.hash.startsWith("#cases?") ? "#cases" : location.hash;
  try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* an address that cannot be kept */ }
}

function update(first = 0) {
  shown = filtered(wishNow());
  page = first;
  render();
  keepAddress();
}

function fromAddress() {
  // addresses of before began with #failures
  const [name, query] = location.hash.split("?");
  if (!query || !["#cases", "#failures"].includes(name)) return false;
  const told = new URLSearchParams(query);
  for (const field of ["attack", "kind", "type", "q"]) form.elements[field].value = told.get(field) || "";
  for (const name of ["attack", "kind", "type"]) if (form.elements[name].selectedIndex < 0) form.elements[name].value = "";
  update(Math.max(0, (parseInt(told.get("page"), 10) || 1) - 1));
  return true;
}

// the browser's own words once more in the other language
translated = () => {
  hintScrolling();
  if (!cases.length) return;
  fillSelects();
  render();
  renderTelling();
};

// The few cases that say most, on the first tab.
function renderTelling() {
  const told = (packed.dataset.telling || "").split(",").filter(Boolean).map(at => cases[at]);
  byId("telling").replaceChildren(...told.map(one => {
    const made = card(one), link = make("a", { href: "#cases?" + new URLSearchParams({ attack: one.attack, q: one.id }) }, said("telling.open"));
    made.append(make("p", { className: "open" }, link));
    return made;
  }));
  for (const element of all(".telling")) element.hidden = !told.length;
}

async function start() {
  if (!packed) return;
  byId("browser").hidden = false;
  if (typeof DecompressionStream === "undefined") { byId("count").textContent = said("browser.old"); return; }
  ({ texts, cases } = await unpacked());
  fillSelects();
  let waiting = 0;
  form.addEventListener("input", event => {
    clearTimeout(waiting);
    waiting = setTimeout(update, event.target.name === "q" ? 120 : 0);
  });
  form.addEventListener("submit", event => { event.preventDefault(); update(); });
  form.addEventListener("reset", () => setTimeout(update));
  byId("pages").addEventListener("click", event => {
    const go = event.target.closest("[data-go]");
    if (!go) return;
    page = { first: 0, previous: page - 1, next: page + 1, last: Infinity }[go.dataset.go];
    render();
    keepAddress();
    const heading = byId("count");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  });
  for (const link of all("a[data-attack], a[data-kind]")) {
    const name = link.dataset.attack ? "attack" : "kind";
    link.addEventListener("click", () => { form.reset(); form.elements[name].value = link.dataset[name]; setTimeout(update, 1); });
  }
  addEventListener("hashchange", fromAddress);
  if (!fromAddress()) update();
  renderTelling();
  // the first search need not wait for it
  if ("requestIdleCallback" in window) requestIdleCallback(prepared);
}

start()
  .catch(error => { byId("count").textContent = String(error); })
  .finally(() => { document.body.dataset.ready = String(Math.round(performance.now())); });
