// Reads the data of the page, makes a view for each file, and starts.

/** Makes the files of `meta` from packed `blobs` and shows them; run again whenever a followed file has grown. */
async function load(meta, blobs) {
  const files = [];
  for (const file of meta.files) {
    if (file.type !== 'heap') {
      files.push(file.type === 'samples' ? sampleFile(file) : file);
      continue;
    }
    const { times, series } = await unpack(blobs[file.blob], file.samples, file.bands.length);
    files.push(new Heap(file, times, series));
  }
  page.files = files;
  page.tag = meta.tag;
  joinRetainers(files);
  rankNames(files);
  show(meta, files);
}

/** Gives each retainer profile the sets of the .prof of its run: the one with its name, or else the only one. */
function joinRetainers(files) {
  const profs = files.filter((file) => file.type === 'prof' && file.retainers.sets.length);
  for (const heap of files) {
    if (heap.type !== 'heap' || !/retainer/.test(heap.kind)) continue;
    // As `run_of` in src/joined.rs: demo.hr.hp, demo.hr.prof and demo.prof are of one run.
    const stem = (path) => path.replace(/\.gz$/, '').replace(/\.[^.]*$/, '').replace(/\.h.$/, '');
    const prof = profs.find((file) => stem(file.path) === stem(heap.path)) || (profs.length === 1 ? profs[0] : null);
    if (prof) heap.retainers = new Map(prof.retainers.sets.map((set) => [set.number, set.members]));
  }
}

function rankNames(files) {
  const sizes = new Map();
  for (const heap of files) {
    if (heap.type === 'space') {
      const { functions, total } = heap.space;
      for (const { name, allocated, top } of functions) sizes.set(name, (sizes.get(name) || 0) + allocated.bytes / (total.allocated.bytes || 1) + top / (total.top || 1));
    }
    if (heap.type !== 'heap') continue;
    const whole = heap.list.reduce((sum, band) => sum + band.total, 0) || 1;
    for (const band of heap.list) sizes.set(band.name, (sizes.get(band.name) || 0) + band.total / whole);
  }
  const names = [...sizes.keys()].filter((name) => !palette.rank.has(name)).sort((a, b) => sizes.get(b) - sizes.get(a) || (a < b ? -1 : 1));
  // Names keep their colours when a followed file brings new ones.
  palette.assign([...palette.rank.keys(), ...names]);
}

function show(meta, files) {
  const heaps = files.filter((file) => file.type === 'heap');
  const profs = files.filter((file) => file.type === 'prof' || file.type === 'samples');
  const spaces = files.filter((file) => file.type === 'space');
  const graphs = files.filter((file) => file.type === 'snapshot');
  const stops = files.filter((file) => file.type === 'stops');
  const first = heaps[0] || (profs[0] && profs[0].report) || (spaces[0] && { job: spaces[0].space.program }) || stops[0] || {};
  const graphViews = meta.diff && graphs.length === 2 ? 1 : graphs.length;
  $('#job').textContent = meta.diff ? 'What changed' : first.job || meta.title;
  $('#sub').textContent = [meta.diff ? first.job : null, first.date, files.length > 1 ? `${files.length} files` : null].filter(Boolean).join(' · ');
  if (page.views.length && page.views.length === page.expected(meta, heaps, profs) + spaces.length + graphViews + stops.length) {
    refresh(meta, heaps, profs, spaces, graphs, stops);
  } else {
    // A time line stands under the charts of the heap.
    page.views = makeViews(meta, heaps, []).concat(stops.map((one) => new StopsView(one)), makeViews(meta, [], profs), spaces.map((space) => new SpaceView(space)),
      meta.diff && graphs.length === 2 ? [new GraphDiff(...graphs)] : graphs.map((graph) => new GraphView(graph)));
    const main = $('#views');
    main.classList.toggle('pair', heaps.length > 1);
    main.replaceChildren(...page.views.map((view) => view.node));
    $('#bar').hidden = !heaps.length;
  }
  drawNow();
}

page.expected = (meta, heaps, profs) => heaps.length + profs.length + (meta.diff && heaps.length + profs.length ? 1 : 0) - (meta.diff && profs.length === 2 ? 2 : 0);

function makeViews(meta, heaps, profs) {
  const views = [];
  if (meta.diff && heaps.length === 2) views.push(new DiffView(...heaps));
  if (meta.diff && profs.length === 2) return [new ProfView(profs[1], profs[0])];
  for (const heap of heaps) views.push(new HeapView(heap));
  for (const prof of profs) views.push(new ProfView(prof));
  return views;
}

/** New data into the views that are there: what the user chose stays. */
function refresh(meta, heaps, profs, spaces, graphs, stops) {
  let [h, p, s, g, t] = [0, 0, 0, 0, 0];
  for (const view of page.views) {
    if (view.graphs) view.setPair(...graphs);
    else if (view.graph) view.setFile(graphs[g++]);
    else if (view.pair) view.setPair(...heaps);
    else if (view.chart) view.setHeap(heaps[h++]);
    else if (view.timeline) view.setFile(stops[t++]);
    else if (view.bars) view.setFile(spaces[s++]);
    else if (view.before) view.setFile(profs[1], profs[0]);
    else view.setFile(profs[p++]);
  }
}

async function start() {
  const begun = performance.now();
  firstTheme();
  const meta = JSON.parse($('#barrow-meta').textContent);
  page.live = Boolean(meta.live);
  fromAddress();
  buildBar();
  buildTools();
  buildHelp();
  await load(meta, [...document.querySelectorAll('.barrow-blob')].map((node) => {
    const text = node.textContent;
    node.remove();
    return text;
  }));
  page.timings.load = performance.now() - begun;
  page.timings.shown = performance.now();
  document.documentElement.dataset.ready = 'true';
  addEventListener('keydown', onKey);
  addEventListener('resize', redraw);
  addEventListener('hashchange', () => { fromAddress(); buildTools(); redraw(); });
  // Paper is light, whatever the screen is; the canvases have to be drawn for it.
  let theme = null;
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    document.documentElement.classList.add('paper');
    Size.forget();
    drawNow();
    page.views.forEach((view) => view.print(true));
  });
  addEventListener('afterprint', () => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.classList.remove('paper');
    Size.forget();
    page.views.forEach((view) => view.print(false));
    redraw();
  });
  if (meta.live) follow(meta.live);
}

// For scripts that drive the page: what it shows, as numbers.
window.barrow = { page, state, change, drawNow };
start().catch((error) => {
  document.documentElement.dataset.ready = 'failed';
  $('#views').replaceChildren(el('p', { class: 'loading' }, `The profile can’t be shown: ${error.message}. A browser of 2023 or later is needed.`));
  console.error(error);
});
