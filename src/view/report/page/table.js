// The table of episodes: filtered, sorted; a row leads to its contact.
"use strict";
(function (tocsin) {
  const { data, make, place } = tocsin;
  const list = place("list");

  const COLUMNS = [
    { name: "From", number: true, of: (e) => e.seconds[0], text: (e) => tocsin.seconds(e.seconds[0]) },
    { name: "Link", of: (e) => e.link_text, text: (e) => e.link_text },
    { name: "Touches", of: (e) => e.thing_text, text: (e) => e.thing_text },
    { name: "Kind", of: (e) => tocsin.KINDS.indexOf(e.status), cell: (e) => tocsin.kind(e.status) },
    { name: "Lasts", number: true, of: tocsin.length, text: (e) => tocsin.seconds(tocsin.length(e)) },
    { name: "Depth", number: true, of: (e) => (e.deepest ? e.deepest.depth : -1), text: (e) => tocsin.depthText(tocsin.deepest([e])) }
  ];

  const state = { link: "", thing: "", kinds: new Set(tocsin.KINDS), sort: 0, down: false, chosen: -1 };
  const body = make("tbody", {});
  const count = make("span", { class: "count" });

  function shown() {
    const out = [];
    data.episodes.forEach((episode, i) => {
      const fits = (state.link === "" || episode.link_text === state.link) &&
        (state.thing === "" || episode.thing_text === state.thing) && state.kinds.has(episode.status);
      if (fits) out.push(i);
    });
    const of = COLUMNS[state.sort].of;
    const sign = state.down ? -1 : 1;
    return out.sort((p, q) => {
      const a = of(data.episodes[p]);
      const b = of(data.episodes[q]);
      return (a < b ? -1 : a > b ? 1 : 0) * sign || p - q;
    });
  }

  function row(i) {
    const episode = data.episodes[i];
    const choose = () => tocsin.tell("choose", i);
    const enter = (event) => {
      if (event.key === "Enter") choose();
    };
    const out = make("tr", { "data-episode": i, tabindex: 0, onclick: choose, onkeydown: enter });
    for (const column of COLUMNS) {
      const cell = make("td", column.number ? { class: "number" } : column.text ? { class: "name" } : {});
      cell.append(column.cell ? column.cell(episode) : column.text(episode));
      out.append(cell);
    }
    return out;
  }

  function mark() {
    for (const tr of body.rows) {
      const chosen = Number(tr.dataset.episode) === state.chosen;
      tr.classList.toggle("chosen", chosen);
      if (chosen) tr.scrollIntoView({ block: "nearest" });
    }
  }

  function fill() {
    const rows = shown();
    body.textContent = "";
    for (const i of rows) body.append(row(i));
    count.textContent = rows.length === data.episodes.length
      ? tocsin.counted(rows.length, "episode")
      : rows.length + " of " + tocsin.counted(data.episodes.length, "episode");
    tocsin.shownEpisodes = rows;
    tocsin.tell("filtered", rows);
    mark();
  }

  function names(of) {
    return Array.from(new Set(data.episodes.map(of))).sort();
  }

  function choice(label, field, values) {
    const select = make("select", { "aria-label": label, id: "filter-" + field }, make("option", { value: "" }, label));
    for (const value of values) select.append(make("option", { value }, value));
    select.addEventListener("change", () => {
      state[field] = select.value;
      fill();
    });
    return select;
  }

  function kindBoxes() {
    const out = [];
    for (const kind of tocsin.KINDS) {
      const box = make("input", { type: "checkbox", id: "filter-" + kind });
      box.checked = true;
      box.addEventListener("change", () => {
        if (box.checked) state.kinds.add(kind);
        else state.kinds.delete(kind);
        fill();
      });
      out.push(make("label", {}, box, tocsin.kind(kind)));
    }
    return out;
  }

  function head() {
    const out = make("tr", {});
    COLUMNS.forEach((column, i) => {
      const button = make("button", { type: "button", onclick: () => {
        state.down = state.sort === i ? !state.down : column.number === true && i > 0;
        state.sort = i;
        fill();
      } }, column.name);
      out.append(make("th", column.number ? { class: "number", scope: "col" } : { scope: "col" }, button));
    });
    return make("thead", {}, out);
  }

  // Pairs that came near (--near), where nothing is touched between them.
  function near() {
    if (data.near.length === 0) return null;
    const names = data.near.slice(0, 5).map((line) => line.link + " and " +
      (line.object === undefined ? line.other.link : line.object) + " " + tocsin.metres(line.metres));
    const more = data.near.length > 5 ? ", and " + (data.near.length - 5) + " more" : "";
    return make("p", { class: "empty" }, "Near, and never touching: " + names.join("; ") + more + ".");
  }

  list.append(make("h2", {}, "Episodes of contact"));
  tocsin.shownEpisodes = data.episodes.map((_, i) => i);
  if (data.episodes.length === 0) {
    list.append(make("p", { class: "empty" }, "There is none."));
  } else {
    const filters = make("div", { class: "filters" }, choice("all links", "link", names((e) => e.link_text)),
      choice("all objects", "thing", names((e) => e.thing_text)));
    for (const box of kindBoxes()) filters.append(box);
    filters.append(count);
    list.append(filters, make("div", { class: "rows" }, make("table", {}, head(), body)));
    fill();
  }
  const nearLine = near();
  if (nearLine) list.append(nearLine);
  tocsin.on("choose", (i) => {
    state.chosen = i;
    mark();
  });
})(window.tocsin);
