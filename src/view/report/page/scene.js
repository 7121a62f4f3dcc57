// The 3D view: avatars as they move, the room near them, and what is touched now. Without WebGL, or without data, it says so.
"use strict";
(function (tocsin) {
  const { data, place, make } = tocsin;
  const scene = JSON.parse(document.getElementById("tocsin-scene").textContent);
  const view = place("view");
  tocsin.view = null;

  function refuse(why) {
    view.classList.add("none");
    view.append(make("p", { class: "problem" }, why));
  }
  if (!scene) return refuse(data.notes.find((note) => note.startsWith("Without a 3D view")) || "This page has no 3D view.");
  if (!window.THREE) return refuse("This page has no 3D view: its three.js did not start.");
  const { THREE } = window;
  let renderer = null;
  try {
    renderer = new THREE.WebGLRenderer({ antialias: true });
  } catch (_) {
    return refuse("This browser has no WebGL, which the 3D view needs. All else on this page works.");
  }

  // A mesh that was quantised: its corners in a box, in 65,535 parts each way.
  function geometryOf(mesh) {
    const whole = tocsin.numbers(mesh.positions, Uint16Array);
    const places = new Float32Array(whole.length);
    for (let i = 0; i < whole.length; ++i) places[i] = mesh.low[i % 3] + (whole[i] / 65535) * mesh.size[i % 3];
    const out = new THREE.BufferGeometry();
    out.setAttribute("position", new THREE.BufferAttribute(places, 3));
    out.setIndex(new THREE.BufferAttribute(tocsin.numbers(mesh.indices, mesh.wide ? Uint32Array : Uint16Array), 1));
    return out;
  }

  // A line swept sphere from a to b.
  function capsule(link) {
    const a = new THREE.Vector3(...link.a);
    const b = new THREE.Vector3(...link.b);
    const length = a.distanceTo(b);
    const profile = [];
    const RINGS = 10;
    for (let i = 0; i <= 2 * RINGS + 1; ++i) {
      const upper = i > RINGS;
      const angle = ((upper ? i - RINGS - 1 : i - RINGS) / RINGS) * (Math.PI / 2);
      profile.push(new THREE.Vector2(Math.max(1e-6, link.radius * Math.cos(angle)), link.radius * Math.sin(angle) + (upper ? length : 0)));
    }
    const out = new THREE.LatheBufferGeometry(profile, 28);
    out.computeVertexNormals();
    const along = length > 1e-9 ? b.clone().sub(a).divideScalar(length) : new THREE.Vector3(0, 1, 0);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    out.applyMatrix(new THREE.Matrix4().compose(a, turn, new THREE.Vector3(1, 1, 1)));
    return out;
  }

  const world = new THREE.Scene();
  world.background = new THREE.Color(0xf6f7f8);
  const camera = new THREE.PerspectiveCamera(36, 1.6, 0.03, 300);
  world.add(new THREE.HemisphereLight(0xffffff, 0xc9cdd4, 0.78));
  const sun = new THREE.DirectionalLight(0xffffff, 0.42);
  world.add(sun, sun.target);

  function material(colour, flat) {
    return new THREE.MeshLambertMaterial({ color: colour, side: flat ? THREE.DoubleSide : THREE.FrontSide, flatShading: false });
  }

  // Figures.
  const figures = scene.figures.map((told) => {
    const figure = {
      told,
      times: tocsin.numbers(told.times, Float64Array),
      poses: null,
      root: new THREE.Group(),
      joints: [],
      links: new Map()
    };
    figure.poses = new Int16Array(tocsin.bytes(told.poses).buffer);
    figure.places = new Uint16Array(figure.poses.buffer);
    for (let j = 0; j < told.joints; ++j) {
      const joint = new THREE.Group();
      figure.joints.push(joint);
      figure.root.add(joint);
    }
    for (const link of told.links) {
      let geometry = link.mesh ? geometryOf(link.mesh) : capsule(link);
      if (link.mesh) {
        geometry = geometry.toNonIndexed();
        geometry.computeVertexNormals();
      }
      const mesh = new THREE.Mesh(geometry, material(told.colour, Boolean(link.mesh)));
      mesh.name = link.name;
      figure.joints[link.joint].add(mesh);
      figure.links.set(link.name, mesh);
    }
    world.add(figure.root);
    return figure;
  });

  // The room.
  const objects = new Map();
  for (const told of scene.room || []) {
    const geometry = geometryOf(told).toNonIndexed(); // flat faces
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, material(told.colour, true));
    mesh.material.polygonOffset = true;
    mesh.material.polygonOffsetFactor = 1;
    mesh.material.polygonOffsetUnits = 1;
    mesh.name = told.name;
    objects.set(told.name, mesh);
    world.add(mesh);
  }

  // Marks: a ball at the point and an arrow along the normal, over everything, of one size on the screen.
  const markMaterial = new THREE.MeshBasicMaterial({ color: scene.contact_colour, depthTest: false, transparent: true });
  const ball = new THREE.SphereBufferGeometry(0.012, 16, 12);
  const shaft = new THREE.CylinderBufferGeometry(0.003, 0.003, 0.1, 8);
  shaft.translate(0, 0.05, 0);
  const tip = new THREE.ConeBufferGeometry(0.01, 0.035, 12);
  tip.translate(0, 0.115, 0);
  const marks = [];
  function mark(i) {
    while (marks.length <= i) {
      const out = new THREE.Group();
      out.add(new THREE.Mesh(ball, markMaterial), new THREE.Mesh(shaft, markMaterial), new THREE.Mesh(tip, markMaterial));
      for (const part of out.children) part.renderOrder = 10;
      world.add(out);
      marks.push(out);
    }
    return marks[i];
  }

  const up = new THREE.Vector3(0, 1, 0);
  // The chosen episode's is larger than the others.
  function placeMark(group, contact, chosen) {
    group.visible = true;
    group.position.set(...contact.point);
    const shown = contact.normal !== null;
    group.children[1].visible = group.children[2].visible = shown;
    if (shown) group.quaternion.setFromUnitVectors(up, new THREE.Vector3(...contact.normal));
    const size = 2 * camera.position.distanceTo(group.position) * Math.tan((camera.fov * Math.PI) / 360);
    group.scale.setScalar(Math.max(0.3, chosen ? size : 0.5 * size));
  }

  // A figure at a time: straight and evenly turning between its samples.
  const one = new THREE.Quaternion();
  const two = new THREE.Quaternion();
  function pose(figure, seconds) {
    const { told, times, poses, places } = figure;
    figure.root.visible = (told.from === null || seconds >= told.from - 1e-9) && (told.until === null || seconds <= told.until + 1e-9);
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= seconds) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, times.length - 1);
    const gap = times[next] - times[low];
    const part = told.held || gap <= 0 ? 0 : Math.min(1, Math.max(0, (seconds - times[low]) / gap));
    const at = (k, j) => (k * told.joints + j) * 7;
    const coordinate = (k, j, c) => told.low[c] + (places[at(k, j) + c] / 65535) * told.size[c];
    const turn = (to, k, j) => {
      const i = at(k, j) + 3;
      return to.set(poses[i], poses[i + 1], poses[i + 2], poses[i + 3]).normalize();
    };
    figure.joints.forEach((joint, j) => {
      const mix = (c) => (1 - part) * coordinate(low, j, c) + part * coordinate(next, j, c);
      joint.position.set(mix(0), mix(1), mix(2));
      joint.quaternion.copy(turn(one, low, j).slerp(turn(two, next, j), part));
    });
  }

  // Links that touch have the colour of their kind, and the others of their avatar are pale, as in the window of `tocsin view`.
  const colours = {};
  for (const kind of tocsin.KINDS) colours[kind] = new THREE.Color(scene.kind_colours[kind]);
  const figureOf = (avatar) => figures.find((figure) => figure.told.avatar === avatar);
  function paint(contacts) {
    const touched = new Map(figures.map((figure) => [figure, new Map()]));
    const add = (avatar, link, kind) => {
      const links = touched.get(figureOf(avatar));
      // A touch that is proved counts more than one that may be.
      if (links && (kind !== "graze" || !links.has(link))) links.set(link, kind);
    };
    for (const contact of contacts) {
      const episode = data.episodes[contact.episode];
      add(episode.avatar, episode.link, contact.status);
      if (episode.other_link !== undefined) add(episode.other_avatar, episode.other_link, contact.status);
    }
    for (const [figure, links] of touched) {
      for (const [name, mesh] of figure.links) {
        const kind = links.get(name);
        mesh.material.color.set(kind ? colours[kind] : links.size > 0 ? figure.told.pale : figure.told.colour);
      }
    }
  }

  let opened = [];
  function open(names) {
    for (const mesh of opened) {
      mesh.material.transparent = false;
      mesh.material.opacity = 1;
      mesh.material.depthWrite = true;
    }
    opened = names.map((name) => objects.get(name)).filter(Boolean);
    for (const mesh of opened) {
      mesh.material.transparent = true;
      mesh.material.opacity = 0.12;
      mesh.material.depthWrite = false;
    }
  }

  const label = make("div", { class: "label" });
  let drawn = { seconds: data.times[0], contacts: [], chosen: -1 };
  let wanted = false;

  function draw() {
    wanted = false;
    const { seconds, contacts, chosen } = drawn;
    for (const figure of figures) pose(figure, seconds);
    paint(contacts);
    for (const group of marks) group.visible = false;
    contacts.forEach((contact, i) => {
      placeMark(mark(i), contact, contact.episode === chosen || contacts.length === 1);
    });
    sun.position.copy(camera.position).add(new THREE.Vector3(-2, 5, 1));
    sun.target.position.copy(orbit.target);
    renderer.render(world, camera);
    view.classList.add("drawn");
  }
  function request() {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(draw);
  }

  function resize() {
    const width = view.clientWidth;
    const height = view.clientHeight;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(window.devicePixelRatio || 1);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    request();
  }

  const orbit = new tocsin.Orbit(camera, view, request);
  view.append(renderer.domElement, label);
  renderer.domElement.addEventListener("webglcontextlost", (event) => event.preventDefault());
  renderer.domElement.addEventListener("webglcontextrestored", request);
  window.addEventListener("resize", resize);

  // From where the room hides those that are there least, at the nearest time of which that is known; else the whole of the figures' way, from
  // the side.
  function overview() {
    const away = (told) => Math.abs(told.seconds - drawn.seconds);
    const [told] = scene.overviews.slice().sort((p, q) => away(p) - away(q));
    if (told) {
      orbit.look(told.eye, told.target);
      return open(told.cut);
    }
    const box = new THREE.Box3();
    for (const figure of figures) {
      box.expandByPoint(new THREE.Vector3(...figure.told.low));
      box.expandByPoint(new THREE.Vector3(...figure.told.low).add(new THREE.Vector3(...figure.told.size)));
    }
    const ball3 = box.getBoundingSphere(new THREE.Sphere());
    const far = Math.max(2.5, ball3.radius * 2.2);
    orbit.look([ball3.center.x + 0.55 * far, ball3.center.y + 0.45 * far, ball3.center.z + 0.8 * far], ball3.center.toArray());
    open([]);
  }

  tocsin.view = {
    renderer, camera, world,
    show(seconds, contacts, chosen) {
      drawn = { seconds, contacts, chosen };
      request();
    },
    // Where render --episode would stand, else in front of the contact.
    lookAtEpisode(i) {
      const told = scene.cameras[i];
      if (told) {
        orbit.look(told.eye, told.target);
        open(told.cut);
        return request();
      }
      const contact = data.contacts.find((c) => c.episode === i);
      if (!contact) return;
      const n = contact.normal || [0.6, 0, 0.8];
      const side = Math.abs(n[1]) > 0.8 ? [0.8, 0.5, 0.8] : [n[0], n[1] + 0.35, n[2]];
      orbit.look(contact.point.map((x, c) => x + 2.4 * side[c]), contact.point);
      open([]);
      request();
    },
    look(eye, target, fov) {
      camera.fov = fov;
      camera.updateProjectionMatrix();
      orbit.look(eye, target);
      open([]);
      request();
    },
    showRoom(shown) {
      for (const mesh of objects.values()) mesh.visible = shown;
      request();
    },
    overview() {
      overview();
      request();
    },
    label(text) {
      label.textContent = text;
      label.style.display = text === "" ? "none" : "";
    },
    // The picture now, as a data: URL; for print and tests. size: [width, height], pixels.
    picture(size, marksToo) {
      if (size) {
        renderer.setPixelRatio(1);
        renderer.setSize(size[0], size[1], false);
        camera.aspect = size[0] / size[1];
        camera.updateProjectionMatrix();
      }
      const kept = drawn.contacts;
      if (marksToo === false) drawn.contacts = [];
      draw();
      const out = renderer.domElement.toDataURL("image/png");
      drawn.contacts = kept;
      if (size) resize();
      return out;
    }
  };
  overview();
  resize();

  // Paper has no WebGL: a picture stands in its place.
  let image = null;
  function toPaper() {
    image = make("img", { alt: "The 3D view", src: tocsin.view.picture([1600, 1000]) });
    renderer.domElement.style.display = "none";
    view.append(image);
  }
  function fromPaper() {
    if (image) image.remove();
    image = null;
    renderer.domElement.style.display = "";
    resize();
  }
  window.addEventListener("beforeprint", toPaper);
  window.addEventListener("afterprint", fromPaper);
})(window.tocsin);
