// The index of a shoot: a row for each take, those with contact first.
"use strict";
(function (tocsin) {
  const { data, make, place, counted } = tocsin;
  const takes = data.takes.map((take) => {
    return {
      take,
      verdict: tocsin.verdict(take.tally, take.certified),
      inContact: tocsin.secondsInContact(take.episodes),
      deepest: tocsin.deepest(take.episodes),
      things: Array.from(new Set(take.episodes.map((e) => e.thing_text)))
    };
  });
  const RANK = { touched: 0, unsure: 1, clean: 2 };
  const COLUMNS = [
    { name: "Result", of: (t) => RANK[t.verdict[0]], cell: (t) => tocsin.kind({ touched: "hit", unsure: "graze", clean: "clearance" }[t.verdict[0]], t.verdict[1]) },
    { name: "Take", of: (t) => t.take.name, cell: (t) => make("a", { href: "./" + encodeURIComponent(t.take.page) }, t.take.name) },
    { name: "Episodes", number: true, of: (t) => t.take.episodes.length, cell: (t) => tocsin.grouped(t.take.episodes.length) },
    { name: "In contact", number: true, of: (t) => t.inContact, cell: (t) => tocsin.seconds(t.inContact) },
    { name: "Length", number: true, of: (t) => t.take.times[1] - t.take.times[0], cell: (t) => tocsin.seconds(t.take.times[1] - t.take.times[0]) },
    { name: "Deepest", number: true, of: (t) => (t.deepest === null ? -1 : t.deepest.depth), cell: (t) => tocsin.depthText(t.deepest) },
    { name: "Touches", of: (t) => t.things.join(), cell: (t) => t.things.slice(0, 4).join(", ") + (t.things.length > 4 ? ", and " + (t.things.length - 4) + " more" : "") },
    { name: "Report", of: (t) => t.take.report, cell: (t) => t.take.report }
  ];
  let sort = null; // as they come: contact first, the longest first
  let down = false;
  const body = make("tbody", {});

  function compare(p, q) {
    if (sort === null) return RANK[p.verdict[0]] - RANK[q.verdict[0]] || q.inContact - p.inContact || (p.take.name < q.take.name ? -1 : 1);
    const a = COLUMNS[sort].of(p);
    const b = COLUMNS[sort].of(q);
    return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
  }
  function fill() {
    body.textContent = "";
    for (const take of takes.slice().sort(compare)) {
      const row = make("tr", { onclick: () => { window.location.href = "./" + encodeURIComponent(take.take.page); } });
      for (const column of COLUMNS) row.append(make("td", column.number ? { class: "number" } : {}, column.cell(take)));
      body.append(row);
    }
  }
  const head = make("tr", {});
  COLUMNS.forEach((column, i) => {
    const button = make("button", { type: "button", onclick: () => {
      down = sort === i ? !down : column.number === true;
      sort = i;
      fill();
    } }, column.name);
    head.append(make("th", column.number ? { class: "number", scope: "col" } : { scope: "col" }, button));
  });

  const clean = takes.filter((t) => t.verdict[0] === "clean").length;
  const touched = takes.filter((t) => t.verdict[0] === "touched").length;
  const unsure = takes.filter((t) => t.verdict[0] === "unsure").map((t) => t.verdict[1]);
  place("verdict").className = touched > 0 ? "touched" : unsure.length === 0 ? "clean" : "unsure";
  place("verdict").textContent = touched > 0 ? touched + " OF " + takes.length + " WITH CONTACT" :
    unsure.length === 0 ? "ALL CLEAN" : unsure.includes("UNDECIDED") ? "UNDECIDED" : "NO CONTACT SEEN";
  place("heading").append(make("h1", {}, counted(takes.length, "take")), make("p", {}, "Those with contact come first, the longest in contact first. Clean takes are proved to touch nothing, but for pairs that were ignored: their pages name them."));
  const named = (t) => t.take.name + (takes.some((other) => other !== t && other.take.name === t.take.name) ? " (" + t.take.report + ")" : "");
  const names = takes.filter((t) => t.verdict[0] === "clean").map(named);
  const episodes = takes.reduce((sum, t) => sum + t.take.episodes.length, 0);
  const facts = make("div", { class: "facts" });
  for (const [value, name] of [[clean + " of " + takes.length, "takes are clean"], [tocsin.grouped(episodes), "episodes of contact"],
    [tocsin.seconds(takes.reduce((sum, t) => sum + t.inContact, 0)), "in contact"]]) {
    facts.append(make("div", { class: "fact" }, make("b", {}, value), make("span", {}, name)));
  }
  place("summary").append(facts);
  if (names.length > 0) place("summary").append(make("ul", {}, make("li", {}, "Clean: " + names.join(", ") + ".")));
  place("list").append(make("div", { class: "rows" }, make("table", {}, make("thead", {}, head), body)));
  place("foot").append(make("p", {}, "Depths are computed, not proved."));
  fill();
  document.documentElement.dataset.ready = "yes";
})(window.tocsin);
