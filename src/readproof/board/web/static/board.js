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
// An upload says how far it is. Without this script the browser sends the form itself.
for (const form of document.querySelectorAll("form[data-progress]")) {
  const place = form.querySelector(".progress"), bar = place.querySelector("progress"), told = place.querySelector("span");
  form.addEventListener("submit", event => {
    event.preventDefault();
    const button = form.querySelector("button.main");
    const request = new XMLHttpRequest();
    const stop = text => { button.disabled = false; bar.hidden = true; told.textContent = text; };
    request.upload.addEventListener("progress", step => {
      bar.value = step.lengthComputable ? 100 * step.loaded / step.total : 0;
      told.textContent = bar.value < 100 ? `${form.dataset.progress} ${Math.floor(bar.value)} %` : form.dataset.checking;
    });
    request.addEventListener("load", () => {
      if (request.status < 400) { location.assign(request.responseURL); return; }
      // a refusal is a whole page of our own: its words stand in its main part
      const page = new DOMParser().parseFromString(request.responseText, "text/html").querySelector(".wrong");
      stop(page ? page.textContent : request.responseText || form.dataset.broken);
      place.classList.add("wrong");
    });
    request.addEventListener("error", () => { stop(form.dataset.broken); place.classList.add("wrong"); });
    place.hidden = false;
    const file = form.querySelector("[type=file]").files[0];
    if (file && file.size > Number(form.dataset.most)) { stop(form.dataset.large); place.classList.add("wrong"); return; }
    place.classList.remove("wrong");
    place.hidden = bar.hidden = false;
    button.disabled = true;
    request.open("POST", form.action);
    request.send(new FormData(form));
  });
  // only what the chosen track asks for
  const track = form.querySelector("[name=track]");
  const choose = () => {
    for (const one of form.querySelectorAll(".declare")) {
      one.hidden = one.dataset.track !== track.value;
      for (const field of one.querySelectorAll("input, textarea")) field.required = !one.hidden;
    }
  };
  track?.addEventListener("change", choose);
  if (track) choose();
}
// what cannot be taken back asks once more
for (const form of document.querySelectorAll("form[data-confirm]"))
  form.addEventListener("submit", event => { if (!confirm(form.dataset.confirm)) event.preventDefault(); });
// where tabs do not fit, the open one is in view
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.body.dataset.ready = "";
