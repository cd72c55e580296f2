// What the user has chosen. All heap views share it, so that files side by side stay comparable.

const state = {
  mode: 'stack', sort: 'size', reverse: false, count: 20, search: '', units: 'binary', axis: 'time',
  /** [from, to] in the profile's time unit, or null for the whole run. */
  window: null,
  /** Names of bands switched off. */
  hidden: new Set(),
  /** A time against which other moments are compared. */
  pin: null,
  /** The band that is looked at closely. */
  focus: null,
};

const page = { views: [], files: [], timings: { frames: [] }, live: false };

let pending = false;
/** Asks for a redraw of everything in the next frame; many asks make one frame. */
function redraw() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    drawNow();
  });
}

function drawNow() {
  const begun = performance.now();
  for (const view of page.views) view.draw();
  drawAnswer();
  syncBar();
  address.keep();
  page.timings.frames.push(performance.now() - begun);
  if (page.timings.frames.length > 500) page.timings.frames.splice(0, 250);
}

function change(values) {
  Object.assign(state, values);
  redraw();
}
