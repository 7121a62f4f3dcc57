// Time: play, slow motion, jumps from contact to contact; and what of it the parts of the page show.
"use strict";
(function (tocsin) {
  const { data, make, place } = tocsin;
  const [from, until] = data.times;
  const SPEEDS = [[1, "real time"], [0.25, "1/4"], [0.05, "1/20"], [0.01, "1/100"], [0.001, "1/1000"]];
  let now = from;
  let playing = false;
  let speed = 1;
  let last = 0;
  let chosen = -1;
  let dragged = null; // the step of the slider within it, until that is let go

  const contacts = data.contacts.slice().sort((p, q) => p.seconds[1] - q.seconds[1]);

  // The contacts whose touch is proved, or may be, at this time: from the first touch to the end of their step.
  function contactsAt(seconds) {
    return contacts.filter((c) => c.seconds[1] - 1e-9 <= seconds && seconds <= Math.max(c.span[1], c.seconds[1]) + 1e-9);
  }
  // The step that a time is in, of those with a contact: for the slider within it.
  function stepAt(seconds) {
    let best = null;
    for (const c of contacts) {
      if (c.span[0] - 1e-9 > seconds || seconds > c.span[1] + 1e-9) continue;
      const own = c.episode === chosen;
      if (!best || (own && best.episode !== chosen)) best = c;
    }
    return best;
  }

  const playButton = make("button", { type: "button", id: "play", onclick: () => setPlaying(!playing) }, "Play");
  const clock = make("span", { class: "clock", id: "clock" });
  const scrub = make("input", { type: "range", id: "scrub", min: 0, max: 10000, value: 0, "aria-label": "Time" });
  const within = make("input", { type: "range", id: "within", min: 0, max: 10000, value: 0, "aria-label": "Time within the step" });
  const withinText = make("span", { class: "within", id: "within-text" });
  const speeds = make("select", { id: "speed", "aria-label": "Speed" });
  SPEEDS.forEach(([value, text]) => speeds.append(make("option", { value }, text)));
  speeds.addEventListener("change", () => {
    speed = Number(speeds.value);
  });
  const room = make("input", { type: "checkbox", id: "room" });
  room.checked = true;
  room.addEventListener("change", () => tocsin.view.showRoom(room.checked));

  const row = make("div", { class: "row" }, playButton,
    make("button", { type: "button", id: "previous", title: "The contact before (p)", onclick: () => jump(-1) }, "Previous contact"),
    make("button", { type: "button", id: "next", title: "The next contact (n)", onclick: () => jump(1) }, "Next contact"), speeds);
  if (tocsin.view) {
    row.append(make("label", {}, room, " room"), make("button", { type: "button", id: "overview", onclick: () => tocsin.view.overview() }, "Overview"));
  }
  place("transport").append(row, make("div", { class: "row" }, scrub, clock), make("div", { class: "row" }, within, withinText));

  function labelOf(active) {
    const first = (c) => (c.episode === chosen ? 0 : 1);
    const names = active.slice().sort((p, q) => first(p) - first(q)).map((c) => data.episodes[c.episode].link_text + (c.status === "graze" ? " may touch " : " touches ") + data.episodes[c.episode].thing_text);
    const distinct = Array.from(new Set(names));
    return distinct.slice(0, 3).join("; ") + (distinct.length > 3 ? "; and " + (distinct.length - 3) + " more" : "");
  }

  function show() {
    const active = contactsAt(now);
    const part = until > from ? (now - from) / (until - from) : 0;
    scrub.value = Math.round(10000 * part);
    const step = dragged || stepAt(now);
    clock.textContent = tocsin.fixed(now, 4) + " s";
    within.disabled = step === null;
    if (step === null) withinText.textContent = "no contact in this step";
    else {
      const width = step.span[1] - step.span[0];
      const t = width > 0 ? (now - step.span[0]) / width : 0;
      within.value = Math.round(10000 * t);
      withinText.textContent = (data.instants ? "instants " : "frames ") + step.frames.join(" to ") + ", t = " + tocsin.fixed(t, 4);
    }
    if (tocsin.view) {
      tocsin.view.show(now, active, chosen);
      tocsin.view.label(labelOf(active));
    }
    tocsin.tell("now", now);
  }

  function seek(seconds) {
    now = Math.min(until, Math.max(from, seconds));
    show();
  }
  function setPlaying(on) {
    playing = on && until > from;
    playButton.textContent = playing ? "Pause" : "Play";
    if (!playing) return;
    if (now >= until) now = from;
    last = performance.now();
    requestAnimationFrame(tick);
  }
  function tick(time) {
    if (!playing) return;
    const gone = Math.max(0, (time - last) / 1000);
    last = time;
    seek(now + gone * speed);
    if (now >= until) setPlaying(false);
    else requestAnimationFrame(tick);
  }

  // From episode to episode of those that the filters leave, in order of time.
  function jump(direction) {
    const rows = tocsin.shownEpisodes.slice().sort((p, q) => p - q);
    if (rows.length === 0) return;
    let at = rows.indexOf(chosen);
    if (at < 0) at = direction > 0 ? rows.findIndex((i) => data.episodes[i].seconds[0] >= now) : rows.filter((i) => data.episodes[i].seconds[0] < now).length - 1;
    else at += direction;
    tocsin.tell("choose", rows[(at + rows.length) % rows.length]);
  }

  tocsin.on("choose", (i) => {
    chosen = i;
    setPlaying(false);
    seek(data.episodes[i].seconds[0]);
    if (tocsin.view) tocsin.view.lookAtEpisode(i);
  });
  tocsin.on("seek", (seconds) => {
    setPlaying(false);
    seek(seconds);
  });
  scrub.addEventListener("input", () => tocsin.tell("seek", from + (scrub.value / 10000) * (until - from)));
  within.addEventListener("change", () => {
    dragged = null;
    show();
  });
  within.addEventListener("input", () => {
    const step = (dragged = dragged || stepAt(now));
    if (step) tocsin.tell("seek", step.span[0] + (within.value / 10000) * (step.span[1] - step.span[0]));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
    if (event.key === " ") setPlaying(!playing);
    else if (event.key === "n") jump(1);
    else if (event.key === "p") jump(-1);
    else return;
    event.preventDefault();
  });

  tocsin.player = { seek, setPlaying, jump, now: () => now, playing: () => playing };
  if (data.episodes.length > 0) tocsin.tell("choose", 0);
  else show();
  document.documentElement.dataset.ready = "yes";
})(window.tocsin);
