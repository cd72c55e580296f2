// Heap size over time by function, as the points of a space profile have it, with its maxima marked; each leads to what
// lived then.

const GRAPH = { width: 1000, height: 220, left: 64, right: 10, top: 16, bottom: 24 };
/** Functions with a layer of their own. */
const LAYERS = 8;

function spaceGraph(view) {
  const { space } = view.file;
  // A unit is a pixel, so that letters have their size on every screen.
  GRAPH.width = clamp(view.node.clientWidth - 42, 300, 1700);
  const points = [...space.points].sort((a, b) => a.seconds - b.seconds);
  if (points.length < 2) return [];
  const most = [...points, ...space.maxima].reduce((most, point) => Math.max(most, point.bytes), 1) * 1.08;
  const [first, last] = [points[0].seconds, points[points.length - 1].seconds];
  const x = (seconds) => GRAPH.left + (seconds - first) / (last - first || 1) * (GRAPH.width - GRAPH.left - GRAPH.right);
  const y = (bytes) => GRAPH.height - GRAPH.bottom - bytes / most * (GRAPH.height - GRAPH.top - GRAPH.bottom);
  const peaks = new Float64Array(space.functions.length);
  for (const { parts } of points) for (const [who, bytes] of parts) peaks[who] = Math.max(peaks[who], bytes);
  const order = [...peaks.keys()].filter((who) => peaks[who]).sort((a, b) => peaks[b] - peaks[a]).slice(0, LAYERS);
  const shapes = [];
  let below = points.map(() => 0);
  const layer = (values, colour, who) => {
    const above = below.map((base, i) => base + values[i]);
    const line = (list) => list.map((value, i) => `${x(points[i].seconds).toFixed(1)},${y(value).toFixed(1)}`);
    shapes.push(svg('polygon', { points: [...line(above), ...line(below).reverse()].join(' '), fill: colour, class: who === view.chosen ? 'on' : '', onclick: () => view.choose(who) },
      svg('title', {}, who === null ? 'other' : space.functions[who].name)));
    below = above;
  };
  for (const who of order) layer(points.map(({ parts }) => (parts.find((part) => part[0] === who) || [0, 0])[1]), palette.of(space.functions[who].name), who);
  layer(points.map(({ bytes }, i) => Math.max(0, bytes - below[i])), palette.other(), null);
  const text = (at, attributes) => svg('text', attributes, at);
  const step = niceStep(most, 4, state.units === 'binary');
  for (let value = 0; value <= most; value += step) {
    shapes.push(svg('line', { x1: GRAPH.left, x2: GRAPH.width - GRAPH.right, y1: y(value), y2: y(value), class: 'rule' }), text(tick(value, most), { x: GRAPH.left - 7, y: y(value) + 4, 'text-anchor': 'end' }));
  }
  const across = niceStep(last - first, GRAPH.width / 100, false);
  for (const at of axisTicks(first, last, across)) shapes.push(text(plainNumber(at, across), { x: x(at), y: GRAPH.height - 6, 'text-anchor': 'middle' }));
  // The greatest of all is among the maxima, or a point of its own.
  const marks = [...space.maxima];
  if (space.greatest && !marks.some((point) => point.collection === space.greatest.collection)) marks.push(space.greatest);
  marks.sort((a, b) => a.seconds - b.seconds);
  const greatest = marks.reduce((most, point) => Math.max(most, point.bytes), 0);
  for (const point of marks) {
    const open = () => view.open(point);
    shapes.push(svg('circle', {
      cx: x(point.seconds), cy: y(point.bytes), r: point.bytes === greatest ? 6.5 : 5, class: `max${point.bytes === greatest ? ' greatest' : ''}${view.moment === point ? ' on' : ''}`,
      tabindex: '0', role: 'button', 'aria-label': `What lived at ${moment(point.seconds, last - first)} s`, 'data-bytes': point.bytes, 'data-seconds': point.seconds, onclick: open,
      onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(); } },
    }, svg('title', {}, `maximum of ${amount(point.bytes)} at ${moment(point.seconds, last - first)} s: click for what lived`)));
  }
  return [el('h3', {}, 'Heap size over time (seconds of CPU), by who made it'),
    svg('svg', { class: 'spacegraph', viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, role: 'group', 'aria-label': 'Heap size over time' }, shapes)];
}

/** What lived at a maximum: every function, what it held, and the sum. */
function momentTable(view) {
  const { space } = view.file;
  const point = view.moment;
  if (!point) return [];
  const parts = [...point.parts].sort((a, b) => b[1] - a[1]);
  const known = parts.reduce((sum, part) => sum + part[1], 0);
  const row = (name, bytes, who) => el('tr', { 'data-bytes': bytes, onclick: who === null ? null : () => view.choose(who) }, el('td', {}, name), el('td', {}, amount(bytes)), el('td', {}, percent(bytes, point.bytes)));
  return [el('section', { class: 'detail moment', 'data-bytes': point.bytes },
    el('button', { type: 'button', class: 'plain close', 'aria-label': 'Close', onclick: () => view.open(null) }, '✕'),
    el('h3', {}, `What lived at ${point.seconds.toFixed(4)} s, after collection ${exact(point.collection)}: ${amount(point.bytes)}`),
    el('table', { class: 'plain-table' }, el('tbody', {}, parts.map(([who, bytes]) => row(space.functions[who].name, bytes, who)), known < point.bytes ? row('made before the profile began, or unprofiled', point.bytes - known, null) : [])))];
}
