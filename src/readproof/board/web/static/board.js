// Pages that follow the state of things by themselves. Without this script they are complete, and stand still.

for (const status of document.querySelectorAll("[data-live]")) {
  let shown = Number(status.dataset.version);
  let busy = false;
  const say = text => { if (status.dataset.into && text) status.textContent = text; };

  async function follow(version) {
    if (version === shown || busy) return;
    if ("reload" in status.dataset) { location.reload(); return; }
    busy = true;
    try {
      const answer = await fetch(`${status.dataset.part}&version=${version}`, { credentials: "same-origin" });
      if (!answer.ok) return;
      // our own server's page: its values are escaped there
      document.getElementById(status.dataset.into).innerHTML = await answer.text();
      shown = version;
      say(`${status.dataset.changed} ${new Date().toLocaleTimeString()}`);
    } finally { busy = false; }
  }

  const source = new EventSource(status.dataset.live);
  source.addEventListener("version", event => follow(Number(event.data)));
  source.addEventListener("open", () => say(status.dataset.on));
  source.addEventListener("error", () => say(status.dataset.off));
  addEventListener("pagehide", () => source.close());
}
// where tabs do not fit, the open one is in view
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.body.dataset.ready = "";
