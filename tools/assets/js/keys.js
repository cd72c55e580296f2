// The keyboard: everything the mouse can do to the window and the view.

const KEYS = [
  ['← →', 'move the window', ['ArrowLeft', 'ArrowRight']],
  ['+ −', 'zoom in and out', ['+', '=', '-']],
  ['0', 'the whole run', ['0', 'Escape']],
  [', .', 'step the cursor from sample to sample and read it out', [',', '.']],
  ['p', 'pin the moment under the cursor: others are then told as the change since it', ['p']],
  ['m', 'next mode: stacked, shares, lines, own scale', ['m']],
  ['s', 'next order: size, deviation, slope, peak, end, name', ['s']],
  ['[ ]', 'fewer or more bands by name', ['[', ']']],
  ['x', 'time or sample numbers on the axis', ['x']],
  ['u', 'KiB or kB', ['u']],
  ['/', 'search', ['/']],
  ['d', 'light or dark', ['d']],
  ['?', 'this list', ['?']],
];

function buildHelp() {
  $('#help').replaceChildren(
    el('h2', {}, 'Keys and mouse'),
    el('table', {}, KEYS.map(([keys, text]) => el('tr', {}, el('td', {}, keys.split(' ').flatMap((key) => [el('kbd', {}, key), ' '])), el('td', {}, text)))),
    el('p', {}, 'Drag over a chart to zoom into a window: the figures, the order and the table below follow it. Shift-drag moves it, Ctrl and the wheel zoom, a double click shows the whole run. Click a band to look at it closely; the coloured square hides it, with Alt it hides all the others.'),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (typing) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if ($('#help').open) return;
  const view = page.views.find((each) => each.chart);
  const next = (list, value, step = 1) => list[(list.indexOf(value) + step + list.length) % list.length];
  const window = state.window || (view && view.heap.span());
  const actions = {
    d: () => setTheme(dark() ? 'light' : 'dark'),
    '?': () => $('#help').showModal(),
    u: () => { change({ units: state.units === 'binary' ? 'decimal' : 'binary' }); buildTools(); },
    '/': () => ($('#bar').hidden ? $('input[type="search"]') : $('#search'))?.focus(),
  };
  if (view && view.heap.count && event.target.tagName !== 'CANVAS' | event.target === view.chart.over) {
    Object.assign(actions, {
      ArrowLeft: () => moveWindow(view.heap, window, -(window[1] - window[0]) / 6),
      ArrowRight: () => moveWindow(view.heap, window, (window[1] - window[0]) / 6),
      '+': () => zoomWindow(view.heap, 0.7), '=': () => zoomWindow(view.heap, 0.7), '-': () => zoomWindow(view.heap, 1 / 0.7),
      0: () => change({ window: null }),
      Escape: () => change(state.focus ? { focus: null } : { window: null }),
      m: () => change({ mode: next(MODES.map(([mode]) => mode), state.mode) }),
      s: () => change({ sort: next(Object.keys(SORTS), state.sort), reverse: false }),
      x: () => change({ axis: state.axis === 'time' ? 'samples' : 'time' }),
      '[': () => change({ count: Math.max(1, (state.count || view.items.length) - 1) }),
      ']': () => change({ count: (state.count || view.items.length) + 1 }),
      p: () => change({ pin: cursor.time === null || (state.pin !== null && view.nearest(state.pin) === view.nearest(cursor.time)) ? null : cursor.time }),
      ',': () => stepCursor(view, -1), '.': () => stepCursor(view, 1),
    });
  }
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function stepCursor(view, step) {
  const { heap } = view;
  const sample = clamp(cursor.time === null ? view.from : view.nearest(cursor.time) + step, view.from, Math.max(view.from, view.to - 1));
  cursor.time = heap.times[sample];
  for (const each of page.views) if (each.chart) each.chart.drawOver();
  const top = [...view.layers].filter((layer) => layer.band).sort((a, b) => heap.at(b.band, sample) - heap.at(a.band, sample))[0];
  const at = view.chart.over.getBoundingClientRect();
  tip.show({ clientX: at.left + view.chart.x(view.placeOf(sample)), clientY: at.top + at.height / 2 }, ...sampleTip(view, sample, top || null));
  say(`sample ${sample}, ${heap.times[sample]} ${heap.sampleUnit}, all ${amount(view.shownTotal[sample], heap.unit)}${top ? `, most ${top.name} ${amount(heap.at(top.band, sample), heap.unit)}` : ''}`);
}
