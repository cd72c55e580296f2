// The time line of a heap: lanes of its threads, and what each of them waited and was waited for.

class StopsView {
  constructor(file) {
    this.node = el('section', { class: 'card wide stops' });
    this.own = null;
    this.chart = null;
    this.sort = { key: 'stoodNs', down: true };
    this.timeline = new Lanes(this);
    this.setFile(file);
  }

  setFile(file) {
    this.file = file;
    this.lanes = laneSpans(file);
    this.node.dataset.file = file.path;
    const { sums, threads } = file;
    const notes = [...file.warnings];
    if (file.leftStops) notes.push(`The ${exact(sums.stops - file.leftStops)} longest of ${exact(sums.stops)} stops are drawn; figures and table count all.`);
    if (file.leftCollections) notes.push(`The ${exact(sums.collections - file.leftCollections)} longest of ${exact(sums.collections)} collections are drawn; figures and table count all.`);
    if (page.files.some((other) => other.type === 'heap') && !this.isShared()) notes.push('This line is in wall time, the heap profile in the program’s own (without -iw): they are zoomed apart.');
    this.parts = { stats: el('dl', { class: 'stats' }), range: el('span', { class: 'kind', 'aria-live': 'off' }), table: el('div') };
    this.whole = el('button', { type: 'button', onclick: () => this.zoom(null) }, 'Whole run');
    const step = (word, label, by) => el('button', { type: 'button', 'aria-label': label, title: label, onclick: () => this.scale(by) }, word);
    const colours = el('ul', { class: 'legend', 'aria-label': 'Colours' }, LANE_KINDS.map(([kind, word]) => el('li', {}, el('i', { class: 'swatch', 'data-kind': kind }), word)));
    this.node.replaceChildren(
      el('header', {}, el('h2', {}, file.path), el('span', { class: 'kind' }, `time line · ${[[threads.length, 'thread'], [sums.collections, 'collection'], [sums.stops, 'stop']].map(([count, word]) => counted(count, word)).join(' · ')}`)),
      ...(notes.length ? [el('ul', { class: 'notes' }, notes.map((note) => el('li', {}, note)))] : []), this.parts.stats,
      el('div', { class: 'lanes-tools' }, colours, this.parts.range, el('span', { class: 'lanes-zoom' }, step('−', 'Zoom out', 2), step('+', 'Zoom in', 0.5), this.whole)),
      this.timeline.node, this.parts.table);
    this.figures();
  }

  /** Whether heap profiles beside this have the same time; with none, the window in the address is this one's. */
  isShared() {
    return page.files.every((file) => file.type !== 'heap' || (/(^|\s)'?-iw/.test(file.job) && file.sampleUnit === 'seconds'));
  }

  /** The window in nanoseconds. */
  window() {
    const end = Math.max(1, this.file.end);
    const chosen = this.isShared() ? state.window && state.window.map((time) => time * 1e9) : this.own;
    const [from, to] = chosen ? chosen.map((time) => clamp(time, 0, end)) : [0, end];
    return to > from ? [from, to] : [0, end];
  }

  zoom(window) {
    const end = Math.max(1, this.file.end);
    let chosen = window;
    if (chosen) {
      // No window is shorter than a hundred nanoseconds, or leaves the run.
      const span = clamp(chosen[1] - chosen[0], Math.min(100, end), end);
      const from = clamp(chosen[0], 0, end - span);
      chosen = span >= end ? null : [from, from + span];
    }
    if (this.isShared()) change({ window: chosen && chosen.map((time) => time / 1e9) });
    else { this.own = chosen; redraw(); }
  }

  scale(by) {
    const [from, to] = this.window();
    const [middle, half] = [(from + to) / 2, (to - from) / 2 * by];
    this.zoom([middle - half, middle + half]);
  }

  summary() {
    const { sums, threads } = this.file;
    const [from, to] = this.window();
    return `${exact(threads.length)} threads from ${duration(Math.round(from))} to ${duration(Math.round(to))}: ${exact(sums.collections)} collections and ${exact(sums.stops)} stops in the whole run; the table below has each thread’s. Plus and minus zoom, arrows move.`;
  }

  figures() {
    const { sums, end, threads } = this.file;
    const figure = (key, word, value, text, note) => el('div', {}, el('dt', {}, word), el('dd', { 'data-stat': key, 'data-value': value, title: exact(value) }, text, ' ', el('small', {}, note)));
    const slow = threads.reduce((a, b) => (b.lastNs > (a ? a.lastNs : 0) ? b : a), null);
    this.parts.stats.replaceChildren(
      figure('wall', 'Wall time', end, duration(end), ''),
      figure('collected', 'In collections', sums.collectedNs, duration(sums.collectedNs), `${percent(sums.collectedNs, end)} · ${exact(sums.majors)} major`),
      figure('longest', 'Longest collection', sums.longest, duration(sums.longest), ''),
      ...(sums.stops ? [
        figure('stopped', 'Threads stopped', sums.stoppedNs, duration(sums.stoppedNs), percent(sums.stoppedNs, end)),
        figure('waited', 'Time to stop', sums.waitedNs, duration(sums.waitedNs), `longest ${duration(sums.longestWait)}`),
        ...(slow ? [figure('last', 'Waited for most', slow.lastNs, slow.name, duration(slow.lastNs))] : [])] : []));
  }

  draw() {
    for (const [kind, colour] of Object.entries(laneColours())) this.node.querySelector(`.swatch[data-kind="${kind}"]`).style.setProperty('--c', colour);
    const [from, to] = this.window();
    const end = Math.max(1, this.file.end);
    this.whole.disabled = from <= 0 && to >= end;
    this.parts.range.textContent = this.whole.disabled ? '' : `${duration(Math.round(from))} – ${duration(Math.round(to))}`;
    this.timeline.draw();
    this.table();
  }

  static columns = [
    ['name', 'thread', (one) => one.name, (one) => one.number], ['stood', 'stood', (one) => exact(one.stood)], ['stoodNs', 'stood for', (one) => duration(one.stoodNs)],
    ['asked', 'stopped others', (one) => exact(one.asked)], ['waitedNs', 'waited', (one) => duration(one.waitedNs)],
    ['collections', 'collections', (one) => exact(one.collections)], ['collectedNs', 'collecting', (one) => duration(one.collectedNs)],
    ['last', 'came last', (one) => exact(one.last)], ['lastNs', 'others waited', (one) => duration(one.lastNs)],
  ];

  /** Each thread's sums over the whole run. Made again only when the order changes. */
  table() {
    const { key, down } = this.sort;
    const made = `${key} ${down}`;
    if (this.made?.file === this.file && this.made.order === made) return;
    this.made = { file: this.file, order: made };
    const value = StopsView.columns.find(([name]) => name === key)[3] || ((one) => one[key]);
    const rows = [...this.file.threads].sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b)) || a.number - b.number);
    const heads = StopsView.columns.map(([name, word]) => el('th', { scope: 'col', 'aria-sort': name === key ? (down ? 'descending' : 'ascending') : null },
      el('button', { type: 'button', class: 'plain', onclick: () => { this.sort = { key: name, down: name === key ? !down : name !== 'name' }; redraw(); } }, word)));
    this.parts.table.replaceChildren(scrolling('What each thread waited and was waited for', el('table', { class: 'plain-table' }, el('thead', {}, el('tr', {}, heads)),
      el('tbody', {}, rows.map((one) => el('tr', { 'data-thread': one.number }, StopsView.columns.map(([name, , text, exactly]) => el('td', { 'data-key': name, 'data-value': exactly ? exactly(one) : one[name] }, text(one)))))))));
  }

  /** Rows of CSV. */
  rows() {
    return [['number', ...StopsView.columns.map(([name]) => name)], ...this.file.threads.map((one) => [one.number, ...StopsView.columns.map(([name]) => one[name])])];
  }

  print() { this.timeline.draw(); }
}
