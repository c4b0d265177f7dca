// One section at a time: the tabs in the header are links, so that each has an address; without a script all are shown.

const tabs = all("nav.tabs a");
const OLD = { failures: "cases", verdict: "overview", tables: "attacks" };

function tabOf(hash) {
  const name = decodeURIComponent(hash.slice(1).split("?")[0]), tab = OLD[name] || name;
  if (tabs.some(link => link.dataset.tab === tab)) return tab;
  const inside = name && byId(name), section = inside && inside.closest("main > section");
  return section ? section.id : "overview";
}

function showTab(scroll) {
  const name = tabOf(location.hash);
  for (const section of all("main > section")) section.classList.toggle("current", section.id === name);
  for (const link of tabs) {
    if (link.dataset.tab === name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const current = tabs.find(link => link.dataset.tab === name), bar = current.parentElement;
  bar.scrollLeft += current.getBoundingClientRect().left + current.offsetWidth / 2 - bar.getBoundingClientRect().left - bar.clientWidth / 2;
  if (scroll) window.scrollTo(0, 0);
  hintScrolling();
}

root.dataset.tabbed = "";
addEventListener("hashchange", () => showTab(true));
for (const element of all("details")) element.addEventListener("toggle", hintScrolling);
showTab(false);
