// One failure as a person must see it: the question, the passage with its marks, options, answers, evidence.

const attackName = name => name.startsWith("probe/") ? said("probe." + name.slice(6)) : name === "clean" ? said("filter.no-attack") : name;

// The pieces that weighed most for the option that was chosen and for the right one.
function readPieces(one) {
  if (!one.after.options) return [];
  return [...new Set([one.after.choice, one.right])].flatMap(number => {
    const pieces = one.after.options[number] ? one.after.options[number].evidence : [];
    const most = Math.max(0, ...pieces.map(piece => piece[2]));
    return pieces.filter(piece => piece[2] >= most / 2);
  });
}

function passageOf(one, whole) {
  const marks = [];
  for (const [start, end] of one.goldPlaces || []) marks.push({ start, end, name: "gold" });
  if (one.after.place) marks.push({ start: one.after.place[0], end: one.after.place[1], name: "answer" });
  for (const [start, end] of readPieces(one)) marks.push({ start, end, name: "read" });
  const pieces = cut(runsOf(texts[one.passage], one.passageEdits), marks);
  return { pieces: whole ? pieces : shortened(pieces), long: shortened(pieces).some(piece => piece.gap) };
}

function passageBlock(one) {
  const block = text("p", "text passage", one.lang);
  if (!changed(texts[one.passage], one.passageEdits)) { block.append(make("span", { className: "soft" }, said("card.empty"))); return [block]; }
  const { pieces, long } = passageOf(one, false);
  block.append(written(pieces));
  if (!long) return [block];
  const button = make("button", { type: "button", className: "whole", "aria-expanded": "false" }, said("card.whole"));
  button.addEventListener("click", () => {
    const whole = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(whole));
    button.textContent = said(whole ? "card.excerpt" : "card.whole");
    block.replaceChildren(written(passageOf(one, whole).pieces));
  });
  return [block, button];
}

const percent = value => value === undefined ? "" : (100 * value).toFixed(0) + " %";
const scoreOf = answer => Object.entries(answer.score).map(([name, value]) => said("metric." + name) + " " + (100 * value).toFixed(0)).join(", ");
const mainOf = answer => answer.score.f1 ?? answer.score.accuracy ?? 0;

function answerRow(one, title, answer) {
  const content = make("bdi", { lang: one.lang, dir: "auto" });
  if (answer.choice !== undefined) content.append(LETTERS[answer.choice] ?? String(answer.choice));
  else content.append(answer.text ? spelt(answer.text) : said("card.no-answer"));
  const worth = mainOf(answer), sign = worth >= 1 ? "✓" : worth > 0 ? "~" : "✗";
  const about = [scoreOf(answer)];
  if (answer.confidence !== undefined) about.push(said("card.confidence") + " " + percent(answer.confidence));
  if (answer.belief !== undefined) about.push(said("card.belief") + " " + percent(answer.belief));
  return make("div", {}, make("dt", {}, said(title)), make("dd", { className: worth > 0 ? "right" : "wrong" }, sign + " ", content,
    make("span", { className: "soft" }, about.join(" · "))));
}

function answers(one) {
  const golds = one.golds ? one.golds : one.right === undefined || one.right === null ? [] : [LETTERS[one.right]];
  const gold = make("dd", {});
  golds.forEach((found, at) => gold.append(at ? " / " : "", make("bdi", { lang: one.lang, dir: "auto" }, spelt(found))));
  if (!golds.length) gold.append(said("card.no-answer"));
  if (one.flipped) gold.append(make("span", { className: "soft" }, said("card.flipped")));
  const rows = [make("div", {}, make("dt", {}, said("card.gold")), gold)];
  for (const name of ["before", "after", "sanitised", "hardened"]) {
    if (one[name]) rows.push(answerRow(one, name === "after" && !one.before ? "card.said" : "card." + name, one[name]));
  }
  return make("dl", { className: "answers" }, ...rows);
}

function optionsList(one) {
  if (!one.options) return null;
  return make("ol", { className: "options" }, ...one.options.map((option, number) => {
    const flags = [];
    if (number === one.right) flags.push("✓ " + said("card.gold"));
    if (one.before && one.before.choice === number) flags.push("● " + said("card.before"));
    if (one.after.choice === number) flags.push("● " + said(one.before ? "card.after" : "card.said"));
    const scores = [one.before, one.after].filter(Boolean).map(answer => answer.options && answer.options[number]).filter(Boolean);
    if (scores.length) flags.push(said("card.option-score") + " " + scores.map(found => found.score.toFixed(2)).join(" → "));
    const body = text("div", "text", one.lang, written(cut(runsOf(texts[option.text], option.edits), [])));
    body.prepend(make("span", { dir: "ltr" }, LETTERS[number] + ". "));
    return make("li", { className: number === one.right ? "right" : "" }, body, make("div", { className: "flags" }, ...flags.map(flag => make("span", {}, flag))));
  }));
}

// What an option was judged by, the weightiest first.
function quoted(one, name, number) {
  const passage = changed(texts[one.passage], name === "after" ? one.passageEdits : []);
  const option = one[name].options[number];
  const pieces = option ? [...option.evidence].sort((first, second) => second[2] - first[2]) : [];
  return pieces.map(([start, end, weight]) => [weight.toFixed(2), passage.slice(start, end)]);
}

function evidence(one) {
  const known = ["before", "after"].filter(name => one[name] && one[name].options && one[name].options.some(option => option.evidence.length));
  if (!known.length) return null;
  const block = make("details", { className: "evidence" }, make("summary", {}, said("card.evidence-of")));
  block.addEventListener("toggle", () => {
    if (!block.open || block.childElementCount > 1) return;
    one.options.forEach((_, number) => {
      const quotes = known.map(name => quoted(one, name, number));
      const scores = known.map(name => one[name].options[number]).filter(Boolean).map(option => option.score.toFixed(2));
      block.append(make("h3", {}, LETTERS[number] + ": " + said("card.option-score") + " " + scores.join(" → ")));
      const same = quotes.length < 2 || JSON.stringify(quotes[0]) === JSON.stringify(quotes[1]);
      known.slice(0, same ? 1 : 2).forEach((name, at) => {
        if (!same) block.append(make("h4", {}, said("card." + name)));
        block.append(make("ul", {}, ...quotes[at].map(([weight, quote]) =>
          make("li", {}, make("span", { className: "soft" }, weight + " "), make("bdi", { lang: one.lang, dir: "auto" }, spelt(quote))))));
      });
    });
  });
  return block;
}

function card(one, number) {
  const tags = make("p", { className: "tags" }, make("b", {}, attackName(one.attack)),
    one.strategy ? make("span", {}, spelt(one.strategy)) : null,
    make("span", { className: "kind " + one.kind }, said("kind." + one.kind)),
    make("span", {}, said("type." + one.type)), make("code", { dir: "ltr" }, spelt(one.id)));
  const question = text("p", "asked", one.lang, written(cut(runsOf(texts[one.question], one.questionEdits), [])));
  if (!question.textContent) question.append(said("card.empty"));
  const fault = one.fault ? make("p", { className: "mark failed" }, spelt(one.fault)) : null;
  return make("li", number === undefined ? { } : { value: String(number + 1) }, tags, question, ...passageBlock(one), fault, optionsList(one), answers(one), evidence(one));
}
