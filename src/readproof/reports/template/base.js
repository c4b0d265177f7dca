// What all of the page's script uses, and the switches. Texts of the data are only ever set as text, never as HTML.

const root = document.documentElement;
const byId = id => document.getElementById(id);
const all = selector => [...document.querySelectorAll(selector)];
const labels = JSON.parse(byId("labels").textContent);
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// a page opened from a disk may have no storage
const remembered = name => { try { return localStorage.getItem("readproof." + name); } catch { return null; } };
const remember = (name, value) => { try { localStorage.setItem("readproof." + name, value); } catch { /* not remembered */ } };

const language = () => root.dataset.labels;
const said = (key, values = {}) => {
  const found = labels[key];
  const text = found ? found[language() === "zh" ? 1 : 0] : key.slice(key.indexOf(".") + 1);
  return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? values[name] : whole);
};

function make(tag, options = {}, ...children) {
  const { className, ...rest } = options;
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(rest)) element.setAttribute(name, value);
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

// A table that is wider than its place says so.
function hintScrolling() {
  for (const box of all(".wide")) {
    const hint = box.parentElement.querySelector(".hint");
    if (hint) hint.hidden = box.scrollWidth <= box.clientWidth + 1;
  }
}
addEventListener("resize", hintScrolling);
// what the browser of failures writes anew in the other language
let translated = () => {};

// ---- switches

function setLanguage(name) {
  root.dataset.labels = name;
  root.lang = name === "zh" ? "zh-Hans" : "en";
  for (const button of all("[data-language]")) button.setAttribute("aria-pressed", String(button.dataset.language === name));
  for (const element of all("[data-aria]")) element.setAttribute("aria-label", said(element.dataset.aria));
  for (const element of all("[data-hint]")) element.placeholder = said(element.dataset.hint);
  const title = byId("title").querySelector("." + name);
  document.title = "readproof: " + (title ? title.textContent : byId("title").textContent);
}

function setTheme(name) {
  if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
  for (const button of all("button[data-theme]")) button.setAttribute("aria-pressed", String(button.dataset.theme === name));
}

const usual = "fixed" in root.dataset ? language() : (navigator.language || "").startsWith("zh") ? "zh" : "en";
setLanguage(["en", "zh"].includes(remembered("language")) ? remembered("language") : usual);
setTheme(["light", "dark"].includes(remembered("theme")) ? remembered("theme") : "auto");
for (const button of all("[data-language]")) {
  button.addEventListener("click", () => { setLanguage(button.dataset.language); remember("language", button.dataset.language); translated(); });
}
for (const button of all("button[data-theme]")) {
  button.addEventListener("click", () => { setTheme(button.dataset.theme); remember("theme", button.dataset.theme); });
}
for (const element of all(".switches, .menu")) element.hidden = false;
for (const button of all(".menu")) {
  button.addEventListener("click", () => button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false")));
}
for (const button of all(".copy")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = said("copied");
  });
}
hintScrolling();
