// The toolbar of the heap views and the buttons at the top of the page.

const MODES = [['stack', 'Stacked', 'Areas on top of each other'], ['share', 'Shares', 'Each sample as 100%'], ['lines', 'Lines', 'Each band from zero'], ['own', 'Own scale', 'Each band as a line against its own peak']];
let barParts = null;

function buildBar() {
  const box = el('div');
  const mode = segment('Mode', MODES, () => state.mode, (value) => change({ mode: value }));
  const sort = el('select', { id: 'sort', onchange: (event) => change({ sort: event.target.value, reverse: false }) },
    Object.entries(SORTS).map(([value, { word }]) => el('option', { value }, word)));
  const count = el('input', { type: 'number', id: 'count', min: 0, max: 9999, value: state.count, title: '0 for all', oninput: (event) => change({ count: Math.max(0, Number(event.target.value) || 0) }) });
  const search = el('input', { type: 'search', id: 'search', placeholder: 'Search bands, or /regexp/', 'aria-label': 'Search bands', oninput: (event) => change({ search: event.target.value }) });
  const axis = segment('Axis', [['time', 'Time'], ['samples', 'Samples', 'One step for each sample: sampling itself takes time and stretches the other axis']], () => state.axis, (value) => change({ axis: value }));
  const showAll = el('button', { type: 'button', onclick: () => change({ hidden: new Set(), search: '' }) }, 'Show all');
  const range = el('span', { class: 'range' });
  const reset = el('button', { type: 'button', id: 'reset', onclick: () => change({ window: null }) }, 'Whole run');
  box.append(mode, el('label', {}, 'Sort', sort), el('label', {}, 'Top', count), search, showAll, axis, range, reset);
  $('#bar').replaceChildren(box);
  barParts = { mode, sort, count, search, axis, showAll, range, reset };
}

function syncBar() {
  if (!barParts) return;
  barParts.mode.sync();
  barParts.axis.sync();
  barParts.sort.value = state.sort;
  if (Number(barParts.count.value) !== state.count) barParts.count.value = state.count;
  if (barParts.search.value !== state.search) barParts.search.value = state.search;
  barParts.showAll.hidden = !state.hidden.size && !state.search;
  barParts.reset.disabled = !state.window;
  const heap = page.views.find((view) => view.chart)?.heap;
  if (!heap) return;
  const [from, to] = state.window || heap.span();
  const span = heap.span()[1] - heap.span()[0];
  barParts.range.textContent = heap.count ? `${moment(from, span)} – ${moment(to, span)} ${heap.sampleUnit}` : '';
}

const screenTheme = matchMedia('(prefers-color-scheme: dark)');

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  page.themeChosen = true;
  try { localStorage.setItem('barrow-theme', theme); } catch { /* pages opened from a file may have no storage */ }
  redraw();
}

function firstTheme() {
  let kept = null;
  try { kept = localStorage.getItem('barrow-theme'); } catch { /* as above */ }
  document.documentElement.dataset.theme = kept || (screenTheme.matches ? 'dark' : 'light');
  page.themeChosen = Boolean(kept);
  // Who has chosen none has the screen's, also when that changes, as many do at dusk.
  screenTheme.addEventListener('change', () => {
    if (page.themeChosen) return;
    document.documentElement.dataset.theme = screenTheme.matches ? 'dark' : 'light';
    redraw();
  });
}

function buildTools() {
  const units = segment('Units', [['binary', 'KiB', 'Powers of 1024'], ['decimal', 'kB', 'Powers of 1000']], () => state.units, (value) => { change({ units: value }); units.sync(); });
  $('#tools').replaceChildren(...[
    page.live ? el('span', { class: 'live', id: 'live', title: 'This page follows the file as it grows' }, 'live') : null,
    units,
    el('button', { type: 'button', class: 'plain', id: 'csv', title: 'Save the table as CSV', onclick: saveTable }, 'CSV'),
    el('button', { type: 'button', class: 'plain', title: 'Print', onclick: () => window.print() }, 'Print'),
    el('button', { type: 'button', class: 'plain', id: 'theme', title: 'Light or dark (d)', onclick: () => setTheme(dark() ? 'light' : 'dark') }, '◐'),
    el('button', { type: 'button', class: 'plain', id: 'helper', title: 'Keys (?)', onclick: () => $('#help').showModal() }, '?'),
  ].filter(Boolean));
}

/** What the tables show, as a file: the window's numbers, not rounded. */
function saveTable() {
  const quote = (text) => `"${String(text).replaceAll('"', '""')}"`;
  const lines = [];
  for (const view of page.views) {
    if (view.chart) {
      lines.push('file,band,mean,peak,end,deviation,slope');
      for (const { band, stats } of view.items) lines.push([quote(view.heap.path), quote(band.name), stats.mean, stats.peak, stats.end, stats.deviation, stats.slope].join(','));
    } else if (view.flame && view.file.report) {
      lines.push('file,centre,source,entries,own,with_all_below');
      for (const node of view.tree().nodes) lines.push([quote(view.file.path), quote(label(node)), quote(node.src), node.entries, node.own, node.total].join(','));
    } else if (view.bars) {
      lines.push('file,function,allocated,copied,live,ticks_top,ticks_elsewhere,weighted');
      for (const one of view.ranked()) lines.push([quote(view.file.path), quote(one.name), one.allocated.bytes, one.copied.bytes, one.live, one.top, one.elsewhere, one.share].join(','));
    } else if (view.timeline) {
      const [head, ...rows] = view.rows();
      lines.push(`file,${head.join(',')}`);
      for (const row of rows) lines.push([quote(view.file.path), ...row.map((value) => (typeof value === 'string' ? quote(value) : value))].join(','));
    } else if (view.graph) {
      lines.push('file,type,objects,bytes,kept_alive');
      for (const [name, count, bytes, retained] of view.graph.types) lines.push([quote(view.graph.path), quote(name), count, bytes, retained ?? ''].join(','));
    } else if (view.graphs) {
      lines.push('type,before,after,change');
      for (const row of view.grid.items) lines.push([quote(row.name), row.before, row.after, row.change].join(','));
    } else if (view.pair) {
      lines.push('band,before,after,change');
      for (const row of view.grid.items) lines.push([quote(row.name), row.before, row.after, row.change].join(','));
    }
  }
  const link = el('a', { href: URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' })), download: 'barrow.csv' });
  link.click();
  URL.revokeObjectURL(link.href);
}
