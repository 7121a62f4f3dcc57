// What all scripts of a page share: its data, and making elements. Names in the data are hostile: they become text, never
// HTML.
"use strict";
window.tocsin = {};
(function (tocsin) {
  tocsin.data = JSON.parse(document.getElementById("tocsin-data").textContent);

  tocsin.KINDS = ["hit", "overlap", "graze"];
  tocsin.KIND_TEXT = {
    hit: "hit: free, then touching",
    overlap: "overlap: touching when the step begins",
    graze: "graze: neither touch nor freedom could be proved",
    clearance: "clearance: near, and proved free"
  };

  // make("td", {class: "number"}, "text" or elements...)
  tocsin.make = function (tag, attributes) {
    const out = document.createElement(tag);
    for (const name of Object.keys(attributes || {})) {
      if (name.slice(0, 2) === "on") out.addEventListener(name.slice(2), attributes[name]);
      else if (attributes[name] !== null) out.setAttribute(name, attributes[name]);
    }
    for (let i = 2; i < arguments.length; ++i) {
      const part = arguments[i];
      out.append(part instanceof Node ? part : document.createTextNode(String(part)));
    }
    return out;
  };
  tocsin.place = function (id) {
    return document.getElementById(id);
  };

  tocsin.fixed = function (x, digits) {
    const out = x.toFixed(digits);
    return Number(out) === 0 ? out.replace("-", "") : out;
  };
  tocsin.seconds = function (x) {
    return tocsin.fixed(x, 3) + " s";
  };
  tocsin.grouped = function (n) {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  };
  tocsin.counted = function (n, one, many) {
    return tocsin.grouped(n) + " " + (n === 1 ? one : many || one + "s");
  };
  tocsin.metres = function (x) {
    return tocsin.fixed(x, 3) + " m";
  };
  tocsin.kind = function (name, text) {
    return tocsin.make("span", { class: "kind " + name, title: tocsin.KIND_TEXT[name] || "" }, text || name);
  };

  // An episode's length: from the first touch that is proved to the end of the last step in contact.
  tocsin.length = function (episode) {
    return episode.seconds[1] - episode.seconds[0];
  };
  // How deep one of the episodes goes, in metres: at least so, if the axis of a link crosses a surface; null: not told.
  tocsin.deepest = function (episodes) {
    const told = episodes.map((e) => e.deepest).filter((d) => d);
    if (told.length === 0) return null;
    return { depth: Math.max(...told.map((d) => d.depth)), atLeast: told.some((d) => d.through) };
  };
  tocsin.depthText = function (deepest) {
    return deepest === null ? "" : (deepest.atLeast ? ">= " : "") + tocsin.metres(deepest.depth);
  };

  // Seconds in which at least one of the episodes goes on.
  tocsin.secondsInContact = function (episodes) {
    const spans = episodes.map((e) => e.seconds).sort((p, q) => p[0] - q[0]);
    let sum = 0;
    let end = -Infinity;
    for (const [from, until] of spans) {
      if (until > end) {
        sum += until - Math.max(from, end);
        end = until;
      }
    }
    return sum;
  };

  // What a report proves in one word.
  tocsin.verdict = function (tally, certified) {
    if (tally.contacts === 0) return certified ? ["clean", "CLEAN"] : ["unsure", "NO CONTACT SEEN"];
    if (tally.contacts === tally.graze) return ["unsure", "UNDECIDED"];
    return ["touched", "CONTACT"];
  };

  // What is proved is proved but for these.
  tocsin.exceptIgnored = function () {
    return tocsin.data.ignore.length > 0 ? ", but for ignored pairs" : "";
  };

  tocsin.bytes = function (base64) {
    const text = atob(base64);
    const out = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
    return out;
  };
  // Numbers are little-endian, as on every machine that runs a browser of today.
  tocsin.numbers = function (base64, Type) {
    return new Type(tocsin.bytes(base64).buffer);
  };

  // Those who listen are told of every change: on(name, call), tell(name, value).
  const listeners = {};
  tocsin.on = function (name, call) {
    (listeners[name] = listeners[name] || []).push(call);
  };
  tocsin.tell = function (name, value) {
    for (const call of listeners[name] || []) call(value);
  };
})(window.tocsin);
