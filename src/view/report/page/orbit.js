// A camera that goes around a point: drag to turn, right button or Shift to move, wheel to go nearer; arrow keys.
"use strict";
(function (tocsin) {
  const { THREE } = window;

  // changed: called when the camera moved by hand.
  tocsin.Orbit = function (camera, element, changed) {
    const target = new THREE.Vector3(0, 1, 0);

    function turn(dx, dy) {
      const arm = camera.position.clone().sub(target);
      const sphere = new THREE.Spherical().setFromVector3(arm);
      sphere.theta -= dx;
      sphere.phi = Math.min(Math.PI - 0.02, Math.max(0.02, sphere.phi - dy));
      camera.position.copy(target).add(arm.setFromSpherical(sphere));
      camera.lookAt(target);
      changed();
    }
    function nearer(factor) {
      const arm = camera.position.clone().sub(target);
      arm.setLength(Math.min(200, Math.max(0.05, arm.length() * factor)));
      camera.position.copy(target).add(arm);
      changed();
    }
    function move(dx, dy) {
      const reach = camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360) * 2;
      const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0).multiplyScalar(-dx * reach);
      const up = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1).multiplyScalar(dy * reach);
      for (const point of [camera.position, target]) point.add(right).add(up);
      changed();
    }

    let last = null;
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY, moves: event.button !== 0 || event.shiftKey };
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!last) return;
      const dx = event.clientX - last.x;
      const dy = event.clientY - last.y;
      last.x = event.clientX;
      last.y = event.clientY;
      if (last.moves) move(dx / element.clientHeight, dy / element.clientHeight);
      else turn(dx * 0.008, dy * 0.008);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      element.addEventListener(end, () => {
        last = null;
      });
    }
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      nearer(Math.pow(1.0015, event.deltaY));
    }, { passive: false });
    const KEYS = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    element.addEventListener("keydown", (event) => {
      if (KEYS[event.key]) turn(...KEYS[event.key]);
      else if (event.key === "+" || event.key === "=") nearer(0.9);
      else if (event.key === "-") nearer(1.1);
      else return;
      event.preventDefault();
    });

    this.target = target;
    // Stands at a place; all of it metres.
    this.look = function (eye, at) {
      camera.position.set(eye[0], eye[1], eye[2]);
      target.set(at[0], at[1], at[2]);
      camera.lookAt(target);
      camera.updateMatrixWorld();
    };
  };
})(window.tocsin);
