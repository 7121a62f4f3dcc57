// A lane for each link that touches something or whose clearance is told: when, and how.
"use strict";
(function (tocsin) {
  const { data, make, place } = tocsin;
  const LANE = 20;
  const LEFT = 190;
  const AXIS = 22;
  const NEAR = 0.1; // metres: clearances below it are drawn, thicker the nearer
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();

  function laneName(avatar, link) {
    const several = data.takes.filter((take) => take.links.length > 1 || !take.body).length > 1;
    const take = data.takes[avatar];
    if (take.body && take.links.length === 1) return take.name;
    return several ? link + " of " + take.name : link;
  }

  // Lanes in order of avatar and link; each with its contacts and its clearances.
  function findLanes() {
    const lanes = new Map();
    const lane = (avatar, link) => {
      const key = avatar + "/" + link;
      if (!lanes.has(key)) {
        lanes.set(key, { avatar, link, name: laneName(avatar, link), episodes: [], contacts: [], clearance: null });
      }
      return lanes.get(key);
    };
    data.episodes.forEach((episode, i) => {
      lane(episode.avatar, episode.link).episodes.push(i);
      if (episode.other_link !== undefined) lane(episode.other_avatar, episode.other_link).episodes.push(i);
    });
    for (const contact of data.contacts) {
      const episode = data.episodes[contact.episode];
      lane(episode.avatar, episode.link).contacts.push(contact);
      if (episode.other_link !== undefined) lane(episode.other_avatar, episode.other_link).contacts.push(contact);
    }
    for (const row of data.clearance) lane(row.avatar, row.link).clearance = row.metres;
    const place = (l) => l.avatar * 1e6 + data.takes[l.avatar].links.indexOf(l.link);
    return Array.from(lanes.values()).sort((p, q) => place(p) - place(q));
  }

  const lanes = findLanes();
  const links = data.takes.reduce((sum, take) => sum + take.links.length, 0);
  const [from, until] = data.times;
  const whole = Math.max(until - from, 1e-9);
  const canvas = make("canvas", { role: "img", "aria-label": "Timeline of contacts" });
  const scroll = make("div", { class: "scroll" }, canvas);
  let now = from;
  let shown = new Set(tocsin.shownEpisodes);
  let width = 0;

  function x(seconds) {
    return LEFT + ((seconds - from) / whole) * (width - LEFT - 10);
  }

  function hatch(context) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d");
    pen.fillStyle = colour("graze");
    pen.fillRect(0, 0, 6, 6);
    pen.strokeStyle = colour("ink");
    pen.beginPath();
    pen.moveTo(0, 6);
    pen.lineTo(6, 0);
    pen.stroke();
    return context.createPattern(tile, "repeat");
  }

  function drawBar(context, kind, begin, end, y, pattern) {
    const w = Math.max(2.5, x(end) - x(begin));
    context.fillStyle = kind === "graze" ? pattern : colour(kind);
    context.fillRect(x(begin), y + 4, w, LANE - 8);
    if (kind === "hit") context.fillRect(x(begin) - 1, y + 1, 3, LANE - 2); // a head: here it begins
  }

  function drawContacts(context, lane, y, pattern) {
    const covered = new Map();
    for (const contact of lane.contacts) {
      covered.set(contact.episode, (covered.get(contact.episode) || 0) + 1);
      context.globalAlpha = shown.has(contact.episode) ? 1 : 0.15;
      drawBar(context, contact.status, contact.seconds[1], Math.max(contact.span[1], contact.seconds[1]), y, pattern);
    }
    for (const i of lane.episodes) {
      const episode = data.episodes[i];
      if (covered.get(i) >= episode.steps) continue; // else its contacts are not all in this page
      context.globalAlpha = shown.has(i) ? 1 : 0.15;
      drawBar(context, episode.status, episode.seconds[0], episode.seconds[1], y, pattern);
    }
    context.globalAlpha = 1;
  }

  function drawClearance(context, lane, y) {
    const n = lane.clearance.length;
    context.fillStyle = colour("clearance");
    lane.clearance.forEach((metres, i) => {
      if (metres === null || metres <= 0 || metres > NEAR) return;
      const thick = 1.5 + 4.5 * (1 - metres / NEAR);
      const begin = from + (i / n) * whole;
      context.fillRect(x(begin), y + LANE - 1 - thick, Math.max(1, x(begin + whole / n) - x(begin)), thick);
    });
  }

  function ticks() {
    const wanted = whole / 8;
    const power = Math.pow(10, Math.floor(Math.log10(wanted)));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= wanted);
    const out = [];
    for (let i = Math.ceil(from / step); i * step <= until + 1e-9; ++i) out.push(i * step);
    return { step, times: out };
  }

  const lanesOnly = document.createElement("canvas"); // drawn once; time moves over a copy
  const dense = window.devicePixelRatio > 1 ? window.devicePixelRatio : 2; // sharp in print, too
  const height = AXIS + LANE * lanes.length + 4;

  function drawLanes() {
    width = scroll.clientWidth || 800;
    canvas.width = lanesOnly.width = Math.round(width * dense);
    canvas.height = lanesOnly.height = Math.round(height * dense);
    canvas.style.height = height + "px";
    const context = lanesOnly.getContext("2d");
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const pattern = hatch(context);
    const { step, times } = ticks();
    for (const time of times) {
      context.fillStyle = colour("line");
      context.fillRect(x(time), AXIS - 5, 1, height - AXIS + 5);
      context.fillStyle = colour("soft");
      context.fillText(tocsin.fixed(time, step < 0.1 ? 3 : step < 1 ? 1 : 0) + " s", x(time) + 3, 9);
    }
    lanes.forEach((lane, i) => {
      const y = AXIS + i * LANE;
      context.fillStyle = i % 2 === 0 ? "rgba(90,100,114,0.07)" : "rgba(90,100,114,0.03)";
      context.fillRect(LEFT, y, width - LEFT - 10, LANE);
      context.fillStyle = colour("ink");
      let name = lane.name;
      while (name.length > 3 && context.measureText(name).width > LEFT - 12) name = name.slice(0, -2).replace(/\u2026?$/, "\u2026");
      context.fillText(name, 2, y + LANE / 2);
      if (lane.clearance) drawClearance(context, lane, y);
      drawContacts(context, lane, y, pattern);
    });
    drawNow();
  }

  function drawNow() {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(lanesOnly, 0, 0);
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.fillStyle = colour("ink");
    context.fillRect(x(now) - 0.75, AXIS - 8, 1.5, height - AXIS + 8);
  }

  function timeAt(event) {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - 10);
    return from + Math.min(1, Math.max(0, part)) * whole;
  }
  // The episode under the pointer: the one of its lane that is nearest, within five pixels.
  function episodeAt(event) {
    const box = canvas.getBoundingClientRect();
    const lane = lanes[Math.floor((event.clientY - box.top - AXIS) / LANE)];
    const at = event.clientX - box.left;
    if (!lane || at < LEFT) return -1;
    const hit = lane.episodes.filter((i) => {
      const [begin, end] = data.episodes[i].seconds;
      return at >= x(begin) - 5 && at <= Math.max(x(end), x(begin) + 2.5) + 5;
    });
    return hit.length > 0 ? hit[0] : -1;
  }
  let dragging = false;
  canvas.addEventListener("pointerdown", (event) => {
    const episode = episodeAt(event);
    if (episode >= 0) {
      tocsin.tell("choose", episode);
      return;
    }
    dragging = true;
    canvas.setPointerCapture(event.pointerId);
    tocsin.tell("seek", timeAt(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (dragging) tocsin.tell("seek", timeAt(event));
  });
  canvas.addEventListener("pointerup", () => {
    dragging = false;
  });

  const legend = make("div", { class: "legend" });
  for (const kind of tocsin.KINDS) legend.append(tocsin.kind(kind, tocsin.KIND_TEXT[kind].split(":")[0]));
  if (data.clearance.length > 0) legend.append(tocsin.kind("clearance", "clearance below " + NEAR + " m"));
  const quiet = links - lanes.length;
  // Under --contacts first the others may touch something, too.
  const told = quiet > 0 && data.tally.steps > 0 && !data.first_only;
  const proof = (data.certified ? " without contact: proved" : " without a contact that was seen") + tocsin.exceptIgnored();
  const rest = told ? tocsin.counted(quiet, "link") + proof : "";
  place("time").append(make("div", { class: "head" }, make("h2", {}, "Timeline"), make("span", { class: "count" }, rest), legend), scroll);
  tocsin.on("now", (seconds) => {
    now = seconds;
    drawNow();
  });
  tocsin.on("filtered", (rows) => {
    shown = new Set(rows);
    drawLanes();
  });
  window.addEventListener("resize", drawLanes);
  drawLanes();
})(window.tocsin);
