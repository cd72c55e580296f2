// Space and time by function: a bar for each function, as long as the weighted mean of its shares of space and time; a slider
// for the weights; the function that is chosen in detail.

const MOST_BARS = 200;

class SpaceView {
  constructor(file) {
    this.bars = el('div', { class: 'spacebars', role: 'group', 'aria-label': 'Functions', tabindex: '0' });
    this.node = el('section', { class: 'card wide space' });
    this.chosen = null;
    this.moment = null;
    this.setFile(file);
  }

  setFile(file) {
    // Numbers are each file's own: the function is found by its name, and where several have it by its place in the code or by the
    // client's word for it, the moment by its collection.
    const { space } = file;
    if (this.chosen !== null) {
      const before = this.file.space.functions[this.chosen];
      const named = [...space.functions.keys()].filter((who) => space.functions[who].name === before.name);
      const same = named.find((who) => ['module', 'offset', 'word'].every((key) => space.functions[who][key] === before[key]));
      this.chosen = same ?? (named.length === 1 ? named[0] : null);
    }
    if (this.moment) this.moment = [...space.maxima, space.greatest].find((point) => point && point.collection === this.moment.collection) || null;
    this.file = file;
    const { total } = file.space;
    this.node.dataset.file = file.path;
    this.weight ??= total.top ? 50 : 0;
    this.slider = el('input', { type: 'range', min: '0', max: '100', step: '1', value: String(this.weight), 'aria-label': 'Weight of time', disabled: !total.top, oninput: (event) => { this.weight = Number(event.target.value); redraw(); } });
    this.weights = el('output', { class: 'kind' });
    this.parts = { stats: el('dl', { class: 'stats' }), detail: el('div'), graph: el('div'), moment: el('div') };
    const head = el('header', {}, el('h2', {}, file.path), el('span', { class: 'kind' }, `space and time by function · ${exact(file.space.functions.length)} functions`));
    const notes = file.space.complete ? [] : [el('ul', { class: 'notes' }, el('li', {}, 'Memory was short: some functions count together, or some copies were not counted.'))];
    this.node.replaceChildren(head, ...notes, this.parts.stats,
      el('div', { class: 'inner weights' }, el('span', {}, 'space'), this.slider, el('span', {}, 'time'), this.weights), el('div', { class: 'spacesplit' }, this.bars, this.parts.detail), this.parts.graph, this.parts.moment);
  }

  /** Every function with its share: the weighted mean of its part of all bytes allocated and of all ticks at the top. */
  ranked() {
    const { space } = this.file;
    const time = this.weight / 100;
    const part = (of, all) => (all ? of / all : 0);
    return space.functions.map((one, who) => ({
      ...one, who, share: (1 - time) * part(one.allocated.bytes, space.total.allocated.bytes) + time * part(one.top, space.total.top),
    })).sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
  }

  choose(who) {
    this.chosen = who === this.chosen ? null : who;
    redraw();
  }

  open(point) {
    this.moment = point === this.moment ? null : point;
    redraw();
  }

  draw() {
    this.figures();
    const all = this.ranked();
    const most = all.length ? all[0].share : 0;
    this.weights.textContent = `space ${100 - this.weight} %, time ${this.weight} %${this.slider.disabled ? ' (no time was recorded)' : ''}`;
    this.bars.replaceChildren(...all.slice(0, MOST_BARS).map((one) => el('button', {
      type: 'button', 'aria-pressed': String(one.who === this.chosen), class: `spacebar${one.who === this.chosen ? ' on' : ''}`, 'data-function': one.name, 'data-share': one.share,
      title: `${one.name}: ${amount(one.allocated.bytes)} allocated, ${exact(one.top)} ticks`, style: { '--c': palette.of(one.name), '--w': `${most ? 100 * one.share / most : 0}%` }, onclick: () => this.choose(one.who),
    }, el('i'), el('span', {}, one.name), el('b', {}, `${(one.share * 100).toFixed(1)}%`))));
    if (all.length > MOST_BARS) this.bars.append(el('p', { class: 'foot' }, `${exact(all.length - MOST_BARS)} functions more; CSV has them all`));
    this.parts.detail.replaceChildren(...this.detail());
    this.parts.graph.replaceChildren(...spaceGraph(this));
    this.parts.moment.replaceChildren(...momentTable(this));
  }

  figures() {
    const { space } = this.file;
    const { total } = space;
    const figure = (key, word, value, text, note) => el('div', {}, el('dt', {}, word), el('dd', { 'data-stat': key, 'data-value': value, title: exact(value) }, text, ' ', el('small', {}, note)));
    const ms = (ticks) => `${(ticks * space.tick_ns / 1e6).toFixed(0)} ms`;
    this.parts.stats.replaceChildren(
      figure('allocated', 'Allocated', total.allocated.bytes, amount(total.allocated.bytes), `${exact(total.allocated.objects)} objects`),
      figure('copied', 'Copied', total.copied.bytes, amount(total.copied.bytes), `in ${exact(space.collections)} collections`),
      figure('live', 'Alive at the end', total.live, amount(total.live), ''),
      ...(space.tick_ns ? [
        figure('top', 'In functions', total.top, ms(total.top), `${exact(total.top)} ticks`),
        figure('collecting', 'Collecting', space.ticks_collecting, ms(space.ticks_collecting), `${exact(space.ticks_collecting)} ticks`),
        figure('profiling', 'Profiling', space.ticks_profiling, ms(space.ticks_profiling), `${exact(space.ticks_profiling)} ticks${space.ticks_lost ? `, ${exact(space.ticks_lost)} lost` : ''}`)] : []),
      ...(space.unprofiled.bytes ? [figure('unprofiled', 'Left out', space.unprofiled.bytes, amount(space.unprofiled.bytes), `${exact(space.unprofiled.objects)} objects`)] : []));
  }

  /** The chosen function: its sums, copies by generation, kinds, and who called it. */
  detail() {
    const { space } = this.file;
    if (this.chosen === null) return [el('p', { class: 'empty' }, 'Click a function for its generations, kinds and callers.')];
    const one = space.functions[this.chosen];
    const cell = (key, value, text) => el('td', { 'data-key': key, 'data-value': value }, text);
    const place = [one.file ? `${one.file}${one.line ? `:${one.line}` : ''}` : null, one.module ? `${one.module}+0x${one.offset.toString(16)}` : null].filter(Boolean).join(' · ');
    const parts = [el('button', { type: 'button', class: 'plain close', 'aria-label': 'Close', onclick: () => this.choose(this.chosen) }, '✕'), el('h3', {}, one.name)];
    if (place) parts.push(el('p', {}, place));
    const rows = [['allocated', 'allocated', one.allocated], ['copied', 'copied', one.copied], ...one.copied_from.map((count, generation) => [`from${generation}`, `copied out of generation ${generation}`, count])];
    parts.push(el('table', { class: 'plain-table' }, el('thead', {}, el('tr', {}, ['of', 'bytes', 'objects'].map((text) => el('th', {}, text)))),
      el('tbody', {}, rows.map(([key, word, count]) => el('tr', {}, el('td', {}, word), cell(`${key}-bytes`, count.bytes, exact(count.bytes)), cell(`${key}-objects`, count.objects, exact(count.objects)))),
        [['live', 'alive at the end', one.live], ['top', 'ticks at the top', one.top], ['elsewhere', 'ticks elsewhere', one.elsewhere], ['calls', 'calls', one.calls]].filter(([, , value]) => value !== undefined)
          .map(([key, word, value]) => el('tr', {}, el('td', {}, word), cell(key, value, exact(value)), el('td'))))));
    if (one.kinds.length) {
      const kind = (line, name) => (Object.hasOwn(line, name) ? line[name] : [0, 0, 0]);
      const names = Object.keys(one.kinds[0]).filter((name) => one.kinds.some((line) => kind(line, name)[0]));
      parts.push(el('h4', {}, 'Kinds: bytes (and overhead in them)'), scrolling('Kinds', el('table', { class: 'plain-table kinds' },
        el('thead', {}, el('tr', {}, ['kind', 'allocated', ...one.kinds.slice(1).map((_, generation) => `out of ${generation}`)].map((text) => el('th', {}, text)))),
        el('tbody', {}, names.map((name) => el('tr', {}, el('td', {}, name),
          one.kinds.map((line, at) => { const [count, bytes, overhead] = kind(line, name); return el('td', { 'data-key': `${name}-${at}`, 'data-value': bytes, title: `${exact(count)} objects` }, exact(bytes), el('small', {}, ` (${exact(overhead)})`)); })))))));
    }
    const callers = this.callers();
    if (callers.length) {
      parts.push(el('h4', {}, 'Called by (ticks at the top of it)'), el('ol', { class: 'callers' }, callers.map(({ path, ticks }) =>
        el('li', { 'data-ticks': ticks }, `${exact(ticks)} · ${path.map((who) => space.functions[who].name).join(' ← ') || 'nobody that was seen'}`))));
    }
    return [el('section', { class: 'detail', 'data-function': one.name, style: { '--c': palette.of(one.name) } }, parts)];
  }

  /** The ways on which the chosen function was found at the top, the most frequent first: from it outwards. */
  callers() {
    const { callers } = this.file.space;
    const below = callers.map(() => 0);
    callers.forEach(([parent, , ticks]) => { if (parent) below[parent - 1] += ticks; });
    const ways = [];
    callers.forEach(([, who, ticks], at) => {
      // A way ends where ticks do not go on to a caller.
      const ended = ticks - below[at];
      if (ended <= 0) return;
      const path = [who];
      for (let up = callers[at][0]; up; up = callers[up - 1][0]) path.unshift(callers[up - 1][1]);
      if (path[0] === this.chosen) ways.push({ path: path.slice(1), ticks: ended });
    });
    return ways.sort((a, b) => b.ticks - a.ticks).slice(0, 50);
  }

  print() {}
}
