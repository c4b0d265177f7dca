// Texts with their marks: what an attack put in and took out, golds, answers, and what cannot be seen.

const CONTEXT = 45, SHORT = 260;

const NAMES = { 0x00ad: "SHY", 0x061c: "ALM", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE",
  0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2061: "FA", 0x2062: "IT", 0x2063: "IS", 0x2064: "IP", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
  0xfeff: "BOM", 0x00a0: "NBSP", 0x3000: "IDSP" };
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]/u;
const UNSEEN_ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
// part of how Persian and emoji are written
const USUAL = /[\u200c\u200d\ufe00-\ufe0f\n\t]/;

// A text with what cannot be seen spelt out, so that nothing in it can turn the page round.
function spelt(text, odd = false) {
  const found = document.createDocumentFragment();
  let plain = "";
  for (const character of text) {
    const seen = character === "\n" || !(odd ? UNSEEN_ODD : UNSEEN).test(character) || (!odd && USUAL.test(character));
    if (seen) { plain += character; continue; }
    const code = character.codePointAt(0), name = "U+" + code.toString(16).toUpperCase().padStart(4, "0");
    if (plain) found.append(plain);
    plain = "";
    found.append(make("span", { className: "control", dir: "ltr", title: name }, NAMES[code] || name));
  }
  if (plain) found.append(plain);
  return found;
}

const changed = (text, edits = []) => {
  let made = "", at = 0;
  for (const [start, end, fresh] of edits) { made += text.slice(at, start) + fresh; at = end; }
  return made + text.slice(at);
};

// The text after the edits in runs: kept, put in or taken out; each with its place in the new text.
function runsOf(text, edits = []) {
  const runs = [];
  let at = 0, place = 0;
  const add = (kind, piece) => {
    if (piece) runs.push({ kind, text: piece, start: place });
    if (kind !== "del") place += piece.length;
  };
  for (const [start, end, fresh] of edits) {
    add("", text.slice(at, start));
    add("del", text.slice(start, end));
    add("ins", fresh);
    at = end;
  }
  add("", text.slice(at));
  return runs;
}

// Runs cut where marks begin and end, so that each piece has its marks.
function cut(runs, marks) {
  const edges = [...new Set(marks.flatMap(mark => [mark.start, mark.end]))].sort((one, other) => one - other);
  return runs.flatMap(run => {
    if (run.kind === "del") return [{ ...run, marks: [] }];
    const end = run.start + run.text.length;
    const cuts = [run.start, ...edges.filter(edge => edge > run.start && edge < end), end];
    return cuts.slice(1).map((stop, index) => ({
      kind: run.kind, start: cuts[index], text: run.text.slice(cuts[index] - run.start, stop - run.start),
      marks: marks.filter(mark => mark.start <= cuts[index] && mark.end >= stop && mark.end > mark.start).map(mark => mark.name),
    }));
  });
}

const softEnd = (text, at, back) => {
  // no half of a pair of surrogates
  const half = at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at]);
  return half ? at + (back ? -1 : 1) : at;
};

// Long stretches without marks are left out.
function shortened(pieces) {
  const marked = pieces.map(piece => piece.kind !== "" || piece.marks.length > 0);
  return pieces.flatMap((piece, index) => {
    if (marked[index]) return [piece];
    const before = index > 0 ? CONTEXT : 0, after = index < pieces.length - 1 ? CONTEXT : 0;
    if (piece.text.length <= before + after + 15) return [piece];
    // nothing is marked at all: how it begins
    if (before + after === 0) return piece.text.length <= SHORT ? [piece] : [{ ...piece, text: piece.text.slice(0, softEnd(piece.text, SHORT / 2, true)) }, { gap: true }];
    const head = softEnd(piece.text, before, true), tail = softEnd(piece.text, piece.text.length - after, false);
    return [{ ...piece, text: piece.text.slice(0, head) }, { gap: true }, { ...piece, text: piece.text.slice(tail) }];
  });
}

function written(pieces) {
  const found = document.createDocumentFragment();
  for (const piece of pieces) {
    if (piece.gap) { found.append(make("span", { className: "gap" }, " … ")); continue; }
    let node = spelt(piece.text, piece.kind !== "");
    if (piece.marks.length) node = make("span", { className: piece.marks.join(" ") }, node);
    if (piece.kind) node = make(piece.kind, {}, node);
    found.append(node);
  }
  return found;
}

const text = (tag, className, lang, content) => make(tag, { className, dir: "auto", lang }, content);
