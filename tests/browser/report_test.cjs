// Pages of `tocsin report` in a browser: they load without an error and without the network, play, filter and jump, draw what
// `tocsin render` draws, work without WebGL, and run nothing that a name holds.
//
// node report_test.cjs TOCSIN SOURCES [PICTURES]: PICTURES is a folder for screenshots, to be looked at. NODE_PATH leads to
// playwright-core. Exit status 77 where that or Chromium is missing: the reason is said.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

function skip(why) {
  console.log("skipped: " + why);
  process.exit(77);
}
let playwright = null;
try {
  playwright = require("playwright-core");
} catch (_) {
  skip("playwright-core is not found (npm install playwright-core, and NODE_PATH)");
}
const browserFile = process.env.TOCSIN_CHROMIUM || "/usr/bin/chromium";
if (!fs.existsSync(browserFile)) skip(browserFile + " is not there (Debian: chromium)");

const [tocsin, sources, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tocsin-browser-"));
const HOSTILE = "</script><script>window.hostile=1</script><img src=x onerror=window.hostile=1>";

// Of avatar-coloured pixels of both pictures, the share that both have. Edges, light and the mark's halo differ.
const LEAST_OVERLAP = 0.9;
// Mean difference of what is left, blurred to 20 x 12 parts; 0 to 255. Lights and shadows differ.
const MOST_DIFFERENCE = 40;

function run(...args) {
  return execFileSync(tocsin, args, { cwd: folder, encoding: "utf-8", stdio: ["ignore", "pipe", "pipe"] });
}
function check(condition, what) {
  if (!condition) throw new Error("not so: " + what);
}
async function keep(page, name) {
  if (pictures) await page.screenshot({ path: path.join(pictures, name) });
}

function rectangle(name, x, first) {
  return `o ${name}\nv ${x} -0.5 -1\nv ${x} 2 -1\nv ${x} 2 1\nv ${x} -0.5 1\nf ${first} ${first + 1} ${first + 2} ${first + 3}\n`;
}
// A pole that walks into two walls five times; its joint, its file and a wall have hostile names.
function writePole() {
  const xs = [0, 1, 2, 2.5, 2.55, 2.5, 2, 1, 3];
  fs.writeFileSync(path.join(folder, "<b>take.bvh"), "HIERARCHY\nROOT <script>Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n" +
    ` End Site\n {\n  OFFSET 0 1.7 0\n }\n}\nMOTION\nFrames: ${xs.length}\nFrame Time: 0.1\n` + xs.map((x) => `${x} 0 0 0 0 0\n`).join(""));
  fs.writeFileSync(path.join(folder, "pole.json"), JSON.stringify({ format: "tocsin.avatar.v1", name: "pole", description: "A pole.",
    links: [{ name: "<script>pole", joint: "<script>Hips", a: [0, 0, 0], b: [0, 1.7, 0], radius: 0.1 }], aliases: {} }));
  fs.writeFileSync(path.join(folder, "pole.obj"), rectangle(HOSTILE, 2.5, 1) + rectangle("Shelf", 2.3, 5));
  run("check", "<b>take.bvh", "--env", "pole.obj", "--avatar", "./pole.json", "--out", "pole.jsonl", "--clearance");
  run("check", "<b>take.bvh", "--env", "pole.obj", "--avatar", "./pole.json", "--out", "clean.jsonl", "--ignore", "*:*");
  run("report", "pole.jsonl", "--html", "pole.html");
  run("report", "pole.jsonl", "clean.jsonl", "--html", "shoot.html");
  // Walls on the side from which a page without a choice would look.
  const facing = (name, z, first) => `o ${name}\nv -6 -0.5 ${z}\nv 9 -0.5 ${z}\nv 9 6 ${z}\nv -6 6 ${z}\nf ${first} ${first + 1} ${first + 2} ${first + 3}\n`;
  fs.writeFileSync(path.join(folder, "walled.obj"), facing("Near", 0.8, 1) + facing("Far", 1.6, 5));
  run("check", "<b>take.bvh", "--env", "walled.obj", "--avatar", "./pole.json", "--out", "walled.jsonl");
  run("report", "walled.jsonl", "--html", "walled.html");
}
function writeDemo() {
  run("check", path.join(sources, "motions/walk_and_reach.bvh"), "--env", path.join(sources, "environments/music_room.obj"), "--out", "demo.jsonl", "--clearance");
  run("report", "demo.jsonl", "--html", "demo.html");
}

// Opens a page; every error and every request to elsewhere fails the test.
async function open(browser, name, problems) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on("pageerror", (error) => problems.push(name + ": " + error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(name + ": " + message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(name + ": a dialog: " + dialog.message());
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("file://" + folder) && !/^(data|blob):/.test(request.url())) problems.push(name + ": asks for " + request.url());
  });
  await page.goto("file://" + path.join(folder, name));
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return page;
}
const clock = async (page) => Number.parseFloat(await page.textContent("#clock"));
const data = (page) => page.evaluate(() => window.tocsin.data);

async function testPlays(browser, problems) {
  const page = await open(browser, "pole.html", problems);
  const told = await data(page);
  check((await clock(page)).toFixed(3) === told.episodes[0].seconds[0].toFixed(3), "a page begins at its first contact");
  await page.evaluate(() => window.tocsin.player.seek(0));
  await page.selectOption("#speed", "0.25");
  await page.click("#play");
  await page.waitForFunction(() => window.tocsin.player.now() > 0.02);
  await page.click("#play");
  const paused = await clock(page);
  await page.waitForTimeout(150);
  check((await clock(page)) === paused && paused > 0 && paused < 0.8, "pausing holds the time");
  // To the end, where it stops by itself.
  await page.selectOption("#speed", "1");
  await page.evaluate(() => window.tocsin.player.seek(0.75));
  await page.click("#play");
  await page.waitForFunction(() => !window.tocsin.player.playing());
  check((await clock(page)) === 0.8, "it ends at the last pose");
  await page.fill("#scrub", "5000");
  check(Math.abs((await clock(page)) - 0.4) < 1e-3, "the slider moves the time");
  await page.close();
}

async function testJumps(browser, problems) {
  const page = await open(browser, "pole.html", problems);
  const { episodes } = await data(page);
  check(episodes.length === 5, "there are five episodes");
  for (let i = 1; i <= episodes.length; ++i) {
    await page.click("#next");
    const wanted = episodes[i % episodes.length];
    check(Math.abs((await clock(page)) - wanted.seconds[0]) < 6e-5, "Next leads to episode " + i);
    check(Number(await page.getAttribute("tr.chosen", "data-episode")) === i % episodes.length, "its row is marked");
  }
  await page.click("#previous");
  check(Math.abs((await clock(page)) - episodes[4].seconds[0]) < 6e-5, "Previous goes back");
  await page.click("tr[data-episode='1']");
  check(Math.abs((await clock(page)) - episodes[1].seconds[0]) < 6e-5, "a row leads to its contact");
  // Within the step of the wall: t = 0.8 where it touches.
  check(/t = 0\.8000$/.test(await page.textContent("#within-text")), "the step's own time is shown");
  await page.fill("#within", "2500");
  check(Math.abs((await clock(page)) - 0.225) < 1e-6, "the slider within the step moves the time");
  // The pole is where the proved motion has it: x = 2 + 0.25 * 0.5.
  const x = await page.evaluate(() => {
    window.tocsin.view.picture();
    const found = [];
    const walk = (part) => {
      if (part.name === "<script>pole") found.push(part.getWorldPosition(new window.THREE.Vector3()).x);
      part.children.forEach(walk);
    };
    walk(window.tocsin.view.world);
    return found[0];
  });
  check(Math.abs(x - 2.125) < 1e-3, "the pole is where the motion has it, not at " + x);
  await page.close();
}

async function testFilters(browser, problems) {
  const page = await open(browser, "pole.html", problems);
  const rows = () => page.locator("#list tbody tr").count();
  check((await rows()) === 5, "five rows");
  await page.selectOption("#filter-thing", "Shelf");
  check((await rows()) === 3, "three of the shelf");
  await page.click("#next");
  await page.click("#next");
  check((await page.locator("tr.chosen").textContent()).includes("Shelf"), "jumps stay within what is shown");
  await page.uncheck("#filter-hit");
  check((await rows()) === 0, "no overlap of the shelf begins an episode");
  await page.check("#filter-hit");
  await page.selectOption("#filter-thing", HOSTILE);
  check((await rows()) === 2, "two of the wall with the hostile name");
  await page.selectOption("#filter-thing", "");
  await page.click("th button >> text=Lasts");
  const lengths = (await page.locator("#list tbody tr td:nth-child(5)").allTextContents()).map(Number.parseFloat);
  check(lengths.length === 5 && lengths.every((l, i) => i === 0 || l <= lengths[i - 1]), "sorted by length: " + lengths);
  check((await page.evaluate(() => window.hostile)) === undefined, "no name was run");
  check((await page.locator("img").count()) === 0, "no name became an element");
  check((await page.textContent("h1")) === "<b>take", "the take's name is text");
  await keep(page, "pole.png");
  await page.close();
}

// The same camera, the same time, the same size: the avatar covers the same pixels, and the room looks alike.
async function testLooksLikeRender(browser, problems) {
  const page = await open(browser, "demo.html", problems);
  await keep(page, "demo.png");
  const { episodes } = await data(page);
  const eye = [1.2, 1.5, 3.2];
  const target = [-0.2, 0.9, 0.6];
  run("render", "demo.jsonl", "--episode", "1", "--camera", eye.join(), "--look-at", target.join(), "--fov", "40", "--size", "800x500", "--show", "stop", "--uncut",
    "-o", "render.png");
  const render = "data:image/png;base64," + fs.readFileSync(path.join(folder, "render.png")).toString("base64");
  if (pictures) fs.copyFileSync(path.join(folder, "render.png"), path.join(pictures, "render.png"));
  const found = await page.evaluate(async ([picture, seconds, from, to]) => {
    window.tocsin.player.seek(seconds);
    window.tocsin.view.look(from, to, 40);
    const own = window.tocsin.view.picture([800, 500], false);
    const pixels = async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = 800;
      canvas.height = 500;
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, 800, 500).data;
    };
    const [a, b] = [await pixels(picture), await pixels(own)];
    // The avatar's apricot, light or dark: more red than blue, green between.
    const orange = (p, i) => p[i] > 60 && p[i] - p[i + 2] > 0.38 * p[i] && p[i + 1] < 0.82 * p[i] && p[i + 1] > 0.3 * p[i];
    let both = 0;
    let any = 0;
    const sums = new Float64Array(20 * 12 * 3);
    const counts = new Float64Array(20 * 12);
    for (let i = 0; i < a.length; i += 4) {
      const inA = orange(a, i);
      const inB = orange(b, i);
      both += inA && inB ? 1 : 0;
      any += inA || inB ? 1 : 0;
      const x = (i / 4) % 800;
      const y = Math.floor(i / 4 / 800);
      const cell = Math.floor(x / 40) + 20 * Math.min(11, Math.floor(y / 42));
      counts[cell] += 1;
      for (let c = 0; c < 3; ++c) sums[3 * cell + c] += a[i + c] - b[i + c];
    }
    let difference = 0;
    for (let k = 0; k < sums.length; ++k) difference += Math.abs(sums[k] / counts[Math.floor(k / 3)]) / sums.length;
    return { overlap: both / any, any, difference, own };
  }, [render, episodes[0].free_until, eye, target]);
  if (pictures) fs.writeFileSync(path.join(pictures, "page.png"), Buffer.from(found.own.split(",")[1], "base64"));
  console.log(`as render draws it: ${(100 * found.overlap).toFixed(1)} % of ${found.any} avatar pixels are in both, mean difference ${found.difference.toFixed(1)} of 255`);
  check(found.any > 10000, "the avatar is in the pictures");
  check(found.overlap >= LEAST_OVERLAP, "the avatar covers the same pixels");
  check(found.difference <= MOST_DIFFERENCE, "the room looks alike");
  await page.close();
}

async function testIndex(browser, problems) {
  const page = await open(browser, "shoot.html", problems);
  check((await page.textContent("#verdict")) === "1 OF 2 WITH CONTACT", "the verdict counts");
  const rows = await page.locator("#list tbody tr").allTextContents();
  check(rows.length === 2 && rows[0].includes("CONTACT") && rows[1].includes("CLEAN"), "those with contact come first");
  await keep(page, "index.png");
  await page.click("#list tbody tr:first-child a");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && window.tocsin.player);
  check(page.url().endsWith("shoot.pole.html"), "a row leads to its page");
  await page.click("header a");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && !window.tocsin.player);
  await page.click("#list tbody tr:last-child a");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && window.tocsin.player);
  check((await page.textContent("#verdict")) === "CLEAN", "a clean take says so");
  check((await page.textContent("#summary")).includes("proved"), "and that it is proved");
  await keep(page, "clean.png");
  await page.close();
}

// The colours that the 3D view paints are those of the window: the kind's on a link that touches, its avatar pale beside it.
async function testPaints(browser, problems) {
  const page = await open(browser, "demo.html", problems);
  const { episodes } = await data(page);
  const painted = (seconds) => page.evaluate((when) => {
    const { player, view } = window.tocsin;
    player.seek(when);
    view.picture();
    const out = {};
    view.world.traverse((part) => {
      if (part.isMesh && /^(left|right)_|^(head|torso|pelvis)/.test(part.name)) out[part.name] = "#" + part.material.color.getHexString();
    });
    return out;
  }, seconds);
  const { kind_colours: kinds, figures } = await page.evaluate(() => JSON.parse(document.getElementById("tocsin-scene").textContent));
  const css = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--hit").trim());
  check(kinds.hit === css, "the 3D view's hit is the table's: " + kinds.hit + ", " + css);
  const free = await painted(0);
  check(Object.keys(free).length > 5 && Object.values(free).every((colour) => colour === figures[0].colour), "nothing touches: " + JSON.stringify(free));
  const touching = await painted(episodes[0].seconds[0]);
  const { right_forearm: arm, ...others } = touching;
  check(arm === kinds.hit, "the forearm hits: " + arm);
  check(Object.values(others).every((colour) => colour === figures[0].pale), "the others are pale: " + JSON.stringify(others));
  check(JSON.stringify(await painted(0)) === JSON.stringify(free), "and their own colour again");
  // A graze never hides a hit of the same link.
  const both = await page.evaluate(() => {
    const { data: told, view } = window.tocsin;
    const hit = told.contacts[0];
    const arm = () => {
      let out = "";
      view.picture();
      view.world.traverse((part) => {
        if (part.name === "right_forearm") out = "#" + part.material.color.getHexString();
      });
      return out;
    };
    view.show(hit.seconds ? hit.seconds[1] : 0, [hit, { ...hit, status: "graze" }], 0);
    const first = arm();
    view.show(hit.seconds ? hit.seconds[1] : 0, [{ ...hit, status: "graze" }], 0);
    return [first, arm()];
  });
  check(both[0] === kinds.hit && both[1] === kinds.graze, "a hit counts more than a graze: " + both);
  await page.close();
}

// The overview stands where the room hides the avatar least: a wall beside the way does not come between.
async function testOverview(browser, problems) {
  const page = await open(browser, "walled.html", problems);
  const seen = () => page.evaluate(() => {
    const { view } = window.tocsin;
    const { THREE } = window;
    view.picture();
    const links = [];
    const solid = [];
    view.world.traverse((part) => {
      if (!part.isMesh || part.renderOrder === 10) return;
      if (part.name === "<script>pole") links.push(part);
      else if (part.name !== "" && !part.material.transparent) solid.push(part);
    });
    let free = 0;
    for (const y of [0.2, 0.85, 1.5]) {
      const at = links[0].localToWorld(new THREE.Vector3(0, y, 0));
      const away = at.clone().sub(view.camera.position);
      const ray = new THREE.Raycaster(view.camera.position, away.clone().normalize(), 0, away.length() - 0.15);
      if (ray.intersectObjects(solid).length === 0) free += 1;
    }
    return free;
  });
  for (const seconds of [0, 0.2, 0.7]) {
    await page.evaluate((when) => {
      window.tocsin.player.seek(when);
      window.tocsin.view.overview();
    }, seconds);
    check((await seen()) === 3, "the overview sees the pole at " + seconds + " s: " + (await seen()) + " of 3 parts");
    if (seconds === 0) await keep(page, "overview.png");
  }
  await page.close();
}

async function testPrints(browser, problems) {
  const page = await open(browser, "demo.html", problems);
  // What stands in the view's place on paper is the view's picture: its marks and its avatar are in it.
  const paper = await page.evaluate(async () => {
    window.dispatchEvent(new Event("beforeprint"));
    const image = document.querySelector("#view img");
    if (!image) return null;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = { width: canvas.width, height: canvas.height, hit: 0, other: 0, isShown: image.offsetHeight > 100, drawn: getComputedStyle(document.querySelector("#view canvas")).display };
    for (let i = 0; i < pixels.length; i += 4) {
      if (pixels[i] > 120 && pixels[i + 1] < 0.6 * pixels[i] && pixels[i + 2] < 0.25 * pixels[i]) found.hit += 1;
      else if (pixels[i] < 225) found.other += 1;
    }
    window.dispatchEvent(new Event("afterprint"));
    return found;
  });
  check(paper !== null && paper.width === 1600 && paper.height === 1000 && paper.isShown && paper.drawn === "none", "paper has a picture: " + JSON.stringify(paper));
  check(paper.hit > 500 && paper.other > 50000, "the picture is the view's: " + JSON.stringify(paper));
  check((await page.locator("#view img").count()) === 0, "it is gone after printing");
  const pdf = await page.pdf({ format: "A4", printBackground: true });
  if (pictures) fs.writeFileSync(path.join(pictures, "demo.pdf"), pdf);
  const images = pdf.toString("latin1").match(/\/Subtype \/Image\s*\/Width (\d+)\s*\/Height (\d+)/g) || [];
  check(images.some((image) => /Width 1600\s*\/Height 1000$/.test(image)), "the print has the picture: " + images);
  check((await page.locator("#view canvas").isVisible()), "the view is back after printing");
  await page.close();
}

async function testWithoutWebGl(problems) {
  const browser = await playwright.chromium.launch({ executablePath: browserFile, args: ["--no-sandbox", "--disable-gpu", "--disable-3d-apis"] });
  const own = [];
  const page = await open(browser, "pole.html", own);
  check((await page.textContent("#view")).includes("no WebGL"), "it says that there is no WebGL");
  check((await page.locator("#list tbody tr").count()) === 5, "the table is there");
  await page.click("#next");
  check((await clock(page)) > 0, "jumps work");
  await keep(page, "no_webgl.png");
  // three.js itself says on the console that it has no context.
  problems.push(...own.filter((text) => !/WebGL/.test(text)));
  await browser.close();
}

async function main() {
  const problems = [];
  writePole();
  writeDemo();
  const browser = await playwright.chromium.launch({ executablePath: browserFile,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  for (const test of [testPlays, testJumps, testFilters, testPaints, testOverview, testLooksLikeRender, testIndex, testPrints]) {
    await test(browser, problems);
    console.log(test.name + ": passed");
  }
  await browser.close();
  await testWithoutWebGl(problems);
  console.log("testWithoutWebGl: passed");
  check(problems.length === 0, problems.join("\n"));
}

main().then(() => fs.rmSync(folder, { recursive: true }), (error) => {
  fs.rmSync(folder, { recursive: true });
  console.error(error.stderr ? String(error.stderr) : error.stack);
  process.exit(1);
});
