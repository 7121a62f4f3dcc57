// The top of a page: what was found, for those who read nothing else.
"use strict";
(function (tocsin) {
  const { data, make, place, counted, seconds, metres } = tocsin;

  function fact(value, name) {
    return make("div", { class: "fact" }, make("b", {}, value), make("span", {}, name));
  }

  // The pairs that touch, the longest first.
  function pairs() {
    const out = new Map();
    for (const episode of data.episodes) {
      const key = JSON.stringify([episode.link_text, episode.thing_text]);
      if (!out.has(key)) out.set(key, []);
      out.get(key).push(episode);
    }
    return Array.from(out.values()).sort((p, q) => tocsin.secondsInContact(q) - tocsin.secondsInContact(p));
  }

  function sentence(episodes) {
    const first = episodes[0];
    const undecided = episodes.every((e) => e.status === "graze");
    const deepest = tocsin.deepest(episodes);
    let out = first.link_text + (undecided ? " may touch " : " touches ") + first.thing_text + ": " +
      counted(episodes.length, "episode") + ", " + seconds(tocsin.secondsInContact(episodes)) + " in all, first at " +
      seconds(first.seconds[0]);
    if (deepest !== null) out += ", " + (deepest.atLeast ? "at least " : "up to ") + metres(deepest.depth) + " deep";
    return out + ".";
  }

  function shownPairs() {
    const all = pairs();
    const kMost = 3;
    const list = make("ul", {});
    for (const episodes of all.slice(0, kMost)) list.append(make("li", {}, sentence(episodes)));
    if (all.length > kMost) {
      list.append(make("li", {}, "And " + counted(all.length - kMost, "more pair") + ": see the table."));
    }
    return list;
  }

  function facts() {
    const episodes = data.episodes;
    const out = make("div", { class: "facts" });
    const whole = data.times[1] - data.times[0];
    out.append(fact(counted(episodes.length, "episode"), "of contact"));
    if (episodes.length > 0) {
      const length = tocsin.secondsInContact(episodes);
      const part = whole > 0 ? " (" + tocsin.fixed((100 * length) / whole, 1) + " %)" : "";
      out.append(fact(seconds(length) + part, "in contact, of " + seconds(whole)));
      out.append(fact(seconds(episodes[0].seconds[0]), "first touch"));
      const deepest = tocsin.deepest(episodes);
      if (deepest !== null) out.append(fact(tocsin.depthText(deepest), "deepest"));
    } else {
      out.append(fact(seconds(whole), "checked"));
    }
    const tally = data.tally;
    out.append(fact(tocsin.grouped(tally.steps), "steps checked"));
    if (tally.contacts > 0) {
      out.append(fact(tally.hit + " / " + tally.overlap + " / " + tally.graze, "hits / overlaps / grazes"));
    }
    return out;
  }

  const [name, text] = tocsin.verdict(data.tally, data.certified);
  place("verdict").className = name;
  place("verdict").textContent = text;
  const takes = data.takes.filter((take) => !take.body).map((take) => take.name);
  const heading = place("heading");
  heading.append(make("h1", {}, takes.join(", ")));
  const where = make("p", {}, "in " + data.rooms.join(", "));
  if (data.index) where.append(" - ", make("a", { href: "./" + encodeURIComponent(data.index) }, "all takes"));
  heading.append(where);
  place("summary").append(facts());
  if (data.episodes.length > 0) place("summary").append(shownPairs());
  else {
    const proof = data.certified
      ? "Nothing is touched, at any moment between the first pose and the last: proved" + tocsin.exceptIgnored() + "."
      : "Nothing is touched at the poses that were looked at. Between them nothing is proved.";
    place("summary").append(make("ul", {}, make("li", {}, proof)));
  }

  const foot = place("foot");
  function line(text) {
    foot.append(make("p", {}, text));
  }
  for (const note of data.notes) line(note);
  if (data.ignore.length > 0) line("Not looked at: " + data.ignore.join("  ") + ".");
  if (data.margin > 0) line("Every link is " + metres(data.margin) + " thicker than its model says (margin).");
  if (data.first_only) line("Only the first contact of each step was looked for.");
  if (data.tally.limited > 0) line(counted(data.tally.limited, "graze") + " at which a limit of iterations was reached.");
  line("In between: " + data.in_between + ". Avatars: " +
    data.takes.map((take) => take.name + " (" + take.avatar + ", " + counted(take.frames, "frame") + ")").join(", ") + ". Room: " +
    counted(data.objects, "object") + ", " + counted(data.triangles, "triangle") + ".");
  line("Report " + data.report + ", hash " + data.hash + ", by Tocsin " + data.version + " (" + data.backend + "). Depths are computed, not proved.");
})(window.tocsin);
