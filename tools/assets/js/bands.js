// The table of bands under a heap chart: the same order as the picture, the numbers of the window.

const SORTS = {
  size: { key: (item) => item.stats.sum, word: 'size' },
  deviation: { key: (item) => item.stats.deviation, word: 'deviation' },
  slope: { key: (item) => weighed(item.stats), word: 'slope' },
  peak: { key: (item) => item.stats.peak, word: 'peak' },
  end: { key: (item) => item.stats.end, word: 'end' },
  name: { key: null, word: 'name' },
};

function sortItems(items, sort, reverse) {
  const { key } = SORTS[sort];
  const byName = (a, b) => {
    const [p, q] = [a.band.plain, b.band.plain];
    return p < q ? -1 : p > q ? 1 : a.band.name < b.band.name ? -1 : 1;
  };
  items.sort(key ? (a, b) => key(b) - key(a) || byName(a, b) : byName);
  if (reverse) items.reverse();
  return items;
}

function bandGrid(view) {
  const columns = [
    { key: 'swatch', unseen: 'Shown' },
    { key: 'name', title: 'Band', hint: 'Sort by name', sort: 'name' },
    { key: 'share', title: 'Share', hint: 'Sort by size: the sum over the window', sort: 'size' },
    { key: 'peak', title: 'Peak', hint: 'Sort by the greatest value in the window', sort: 'peak', cls: 'num' },
    { key: 'end', title: 'End', hint: 'Sort by the value in the window’s last sample', sort: 'end', cls: 'num' },
    { key: 'deviation', title: 'Deviation', hint: 'Sort by standard deviation in the window', sort: 'deviation', cls: 'num' },
    { key: 'slope', title: 'Slope', hint: 'Sort by growth per second in the window, weighed by how well a line fits: leaks come first, and what comes and goes does not', sort: 'slope', cls: 'num' },
    { key: 'spark', title: 'Shape', hint: 'How the band runs through the window' },
  ];
  const onsort = (sort) => change(state.sort === sort ? { reverse: !state.reverse } : { sort, reverse: false });
  // Pictures are moved from row to row: making one takes longer than all the rest of a row.
  const sparks = [];
  const spark = (place) => (sparks[place] ||= el('canvas', { 'aria-hidden': 'true' }));
  return new Grid({ cls: 'bands', label: 'Bands', columns, onsort, row: (item, index, place) => bandRow(view, item, index, spark(place)) });
}

function bandRow(view, item, index, spark) {
  const { heap } = view;
  const { band, stats } = item;
  const off = state.hidden.has(band.name);
  const colour = index < view.named && !off ? palette.of(band.name) : palette.other();
  const { number, text } = numbered(band.name);
  const cell = (key, value, title) => el('div', { class: `num k-${key}`, role: 'cell', title }, value);
  const row = el('div', { class: `row${off ? ' off' : ''}${state.focus === band.name ? ' on' : ''}`, role: 'row', 'data-band': band.name, style: { '--c': off ? palette.of(band.name) : colour } },
    el('div', { role: 'cell' }, el('button', {
      type: 'button', class: 'swatch', 'aria-pressed': String(!off), 'aria-label': `${off ? 'Show' : 'Hide'} ${band.name}`,
      title: off ? 'Show this band' : 'Hide this band (Alt: show only this one)',
      onclick: (event) => (event.altKey ? onlyBand(view, band.name) : toggleBand(band.name)),
    })),
    el('div', { role: 'cell', class: 'holds' }, el('button', { type: 'button', class: 'name', title: band.name, onclick: () => change({ focus: state.focus === band.name ? null : band.name }) },
      text, number === null ? null : el('em', {}, ` ${number}`))),
    el('div', { class: 'meter k-share', role: 'cell', title: `mean ${exact(stats.mean)} ${heap.unit}`, style: { '--w': `${100 * stats.sum / (view.windowSum || 1)}%` } },
      el('i'), el('b', {}, percent(stats.sum, view.windowSum))),
    cell('peak', amount(stats.peak, heap.unit), `${exact(stats.peak)} ${heap.unit}`),
    cell('end', amount(stats.end, heap.unit), `${exact(stats.end)} ${heap.unit}`),
    cell('deviation', amount(stats.deviation, heap.unit), `${exact(stats.deviation)} ${heap.unit}`),
    cell('slope', `${signed(stats.slope, heap.unit)}/s`.replace('/s', heap.sampleUnit === 'seconds' ? '/s' : ''), `${stats.slope.toFixed(1)} ${heap.unit} per ${heap.sampleUnit}; a line fits to ${percent(stats.fit, 1)}`),
    el('div', { role: 'cell', class: 'k-spark' }, spark));
  if (Math.abs(stats.slope) * (heap.times[view.to - 1] - heap.times[view.from] || 0) > stats.mean * 0.5) {
    $('.k-slope', row).classList.add(stats.slope > 0 ? 'up' : 'down');
  }
  sparkline(spark, heap, band, view.from, view.to, colour);
  return row;
}

function sparkline(canvas, heap, band, from, to, colour) {
  const width = 92;
  const height = 20;
  const ctx = context(canvas, width, height);
  const n = to - from;
  if (n < 1) return;
  const step = Math.max(1, n / width);
  const values = [];
  for (let i = from; i < to; i += step) {
    values.push(heap.most(band, Math.floor(i), Math.min(to, Math.ceil(i + step))));
  }
  const most = Math.max(...values) || 1;
  ctx.beginPath();
  ctx.moveTo(0, height);
  values.forEach((value, k) => ctx.lineTo(values.length > 1 ? k / (values.length - 1) * width : width / 2, height - 1 - value / most * (height - 3)));
  ctx.lineTo(width, height);
  ctx.fillStyle = colour;
  ctx.fill();
}

function toggleBand(name) {
  const hidden = new Set(state.hidden);
  if (!hidden.delete(name)) hidden.add(name);
  change({ hidden });
}

function onlyBand(view, name) {
  const others = view.heap.list.map((band) => band.name).filter((other) => other !== name);
  const alone = others.every((other) => state.hidden.has(other));
  change({ hidden: new Set(alone ? [] : others) });
}
