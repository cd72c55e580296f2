// The sentence at the top: what a person should know of the window that is chosen. A leak is memory whose floor keeps rising;
// what comes and goes is none, however steep a line through it is.

/** Parts of a window whose lowest values are compared: the heap between two collections, and one wave of work, lie within a part. */
const PARTS = 8;
/** Fewer samples than these say nothing of growth. */
const FEWEST = 12;
/** So many bands are looked at closely, those that grow most first. */
const SUSPECTS = 60;

/** Of longer windows every so many samples are looked at, so that a step of a zoom costs the same in all of them. */
const MOST_LOOKS = 480;
const stride = (from, to) => Math.max(1, Math.floor((to - from) / MOST_LOOKS));

/** The lowest value of each part of samples [from, to). */
function floors(at, from, to) {
  const parts = Math.min(PARTS, Math.floor((to - from) / 3));
  const step = stride(from, to);
  return Array.from({ length: parts }, (_, part) => {
    let low = Infinity;
    for (let i = from + Math.floor(part * (to - from) / parts), end = from + Math.floor((part + 1) * (to - from) / parts); i < end; i += step) low = Math.min(low, at(i));
    return low;
  });
}

/** Whether floors rise to the end of the window: neither once, nor up to a bound, nor up and down. */
function rises(low) {
  const last = low.length - 1;
  const rise = low[last] - low[0];
  if (!(rise > 0)) return 0;
  let [highest, fall, leap] = [low[0], 0, 0];
  for (let part = 1; part <= last; part++) {
    leap = Math.max(leap, low[part] - low[part - 1]);
    fall = Math.max(fall, highest - low[part]);
    highest = Math.max(highest, low[part]);
  }
  const since = (share) => (low[last] - low[Math.round(last * share)]) / rise;
  return fall <= rise * 0.2 && leap <= rise * 0.6 && since(0.5) >= 0.25 && since(0.7) >= 0.12 ? rise : 0;
}

/** Slope of a line through values, and how far it may be off: four times the usual error, since neighbouring samples of a heap
    are off together. */
function trend(heap, at, from, to) {
  const step = stride(from, to);
  const n = Math.ceil((to - from) / step);
  let [sum, times] = [0, 0];
  for (let i = from; i < to; i += step) { sum += at(i); times += heap.times[i]; }
  const [mean, middle] = [sum / n, times / n];
  let [cross, spread, square] = [0, 0, 0];
  for (let i = from; i < to; i += step) {
    const [v, t] = [at(i) - mean, heap.times[i] - middle];
    cross += v * t;
    spread += t * t;
    square += v * v;
  }
  if (!(spread > 0)) return { slope: 0, off: 0 };
  const slope = cross / spread;
  return { slope, off: 4 * Math.sqrt(Math.max(0, square - slope * cross) / Math.max(1, n - 2) / spread) };
}

/** The band of a view that leaks, or null: its stats, and how much its floor has risen. */
function leakOf(view) {
  const { heap } = view;
  const [from, to] = heap.counted(view.from, view.to);
  if (heap.biography || to - from < FEWEST) return null;
  const most = view.peak;
  const span = heap.times[to - 1] - heap.times[from];
  const suspects = view.items.filter(({ stats }) => stats.slope > 0 && stats.slope * span > most * 0.005)
    .sort((a, b) => weighed(b.stats) - weighed(a.stats)).slice(0, SUSPECTS);
  for (const { band, stats } of suspects) {
    const rise = rises(floors((i) => heap.at(band, i), from, to));
    if (rise < most * 0.01 || rise < stats.peak * 0.1) continue;
    // What goes over from one producer to another is no growth of the heap.
    const rest = trend(heap, (i) => view.shownTotal[i] - heap.at(band, i), from, to);
    if (rest.slope + rest.off < stats.slope * -0.5) continue;
    return { band, stats, rise, heap };
  }
  return null;
}

/** Growth that a line tells: what goes up and down has a slope too, but no line fits it. */
const weighed = (stats) => stats.slope * stats.fit;

/** What a band's name says when a heap is broken down so: the word before it, by the letter of the break-down. */
const ROLES = {
  'by cost-centre stack': 'producer', 'by allocation site': 'producer', 'by module': 'producer', 'by type': 'thing', 'by closure description': 'thing',
  'by closure kind': 'thing', 'by info table': 'thing', 'by retainer set': 'holder',
};

const roleOf = (heap) => ROLES[heap.kind] || (heap.list.some(({ name }) => numbered(name).number !== null) ? 'producer' : 'thing');

/** Who holds the centre that makes what leaks, where that holds itself, as a list does: the first other one above it. */
function holderOf(found) {
  const { view, band } = found.holder;
  const made = found.producer && numbered(found.producer.band.name).text.split('/')[0];
  const own = spoken(view, band.name);
  if (!made || own.split(/[,/]/)[0].split('.').at(-1) !== made) return null;
  const lines = page.files.flatMap((file) => (file.type === 'prof' ? file.retainers.holders : []));
  const at = lines.findIndex(([depth, name]) => !depth && name.split(',')[0] === own.split('/')[0]);
  for (let next = at + 1; at >= 0 && next < lines.length && lines[next][0]; next++) {
    const centre = memberText(lines[next][1]).split(',')[0];
    if (centre.split('.').at(-1) !== made) return centre;
  }
  return null;
}

/** A stack's innermost centres: as many as a person takes in. */
function spokenStack(stack) {
  const centres = stack.filter((name) => name !== '...' && !/(^|\.)CAF$/.test(name));
  return (centres.length ? centres : stack).slice(0, 3).join('/');
}

/** A band's name as a person says it: a stack or a set without its number, a set by its members' own centres. */
function spoken(view, name) {
  const members = membersOf(view, name);
  const text = members ? [...new Set(members.map((member) => member.split(/[,/]/)[0]))].join(' and ') : stackOf(view, name) ? spokenStack(stackOf(view, name)) : numbered(name).text;
  return shorten(text, 90);
}

const perTime = (heap) => (heap.sampleUnit === 'seconds' ? '/s' : ` per ${heap.sampleUnit.replace(/s$/, '')}`);

function nameButton(view, name, key) {
  return el('button', { type: 'button', class: 'said-name', 'data-answer': key, 'data-band': name, title: name, onclick: () => change({ focus: state.focus === name ? null : name }) }, spoken(view, name));
}

/** The leak that all heap profiles of the page tell together; null when none does. */
function leakWords(views) {
  const found = {};
  for (const view of views) {
    const leak = leakOf(view);
    const role = roleOf(view.heap);
    if (leak && !found[role]) found[role] = { ...leak, view };
  }
  const first = found.producer || found.thing || found.holder;
  if (!first) return null;
  const name = (role) => nameButton(found[role].view, found[role].band.name, role);
  const parts = [el('b', { 'data-answer': 'leak' }, 'Likely leak: ')];
  if (found.thing) parts.push(name('thing'), found.producer ? ', made by ' : ' ');
  if (found.producer) parts.push(found.thing ? name('producer') : ['memory made by ', name('producer')], found.thing ? ', ' : ' ');
  if (first === found.holder) parts.push('what is held by ', name('holder'), ' ');
  const { stats, heap } = first;
  parts.push('grows ', el('b', { 'data-answer': 'rate', 'data-value': stats.slope }, `${amount(stats.slope, heap.unit)}${perTime(heap)}`), stats.fit > 0.9 ? ' steadily' : '');
  if (found.holder && first !== found.holder) {
    const above = holderOf(found);
    parts.push(' and is held by ', above ? el('code', { 'data-answer': 'holder', 'data-band': above }, above) : name('holder'));
  }
  return [parts.flat(), '. '];
}

/** What most of a heap is when it is greatest: what a person wants to know where nothing leaks. */
function peakWords(view) {
  const { heap, from, to } = view;
  if (!(to > from) || !view.peak) return ['Nothing was alive in this window. '];
  const at = heap.argmax(view.shownTotal, from, to);
  const most = view.items.reduce((best, { band }) => (!best || heap.at(band, at) > heap.at(best, at) ? band : best), null);
  const word = { producer: 'was made by ', thing: 'was ', holder: 'was held by ' }[roleOf(heap)];
  const grown = heap.counted(from, to)[1] - heap.counted(from, to)[0] < FEWEST ? 'At its peak' : 'Nothing grows steadily: at its peak';
  return [`${grown} of `, el('b', {}, amount(view.peak, heap.unit)), ` (at ${moment(heap.times[at], heap.span()[1] - heap.span()[0])} ${heap.sampleUnit === 'seconds' ? 's' : heap.sampleUnit}), `,
    ...(most ? [el('b', {}, percent(heap.at(most, at), view.shownTotal[at])), ` of the heap ${word}`, nameButton(view, most.name, 'most'), '. '] : ['. '])];
}

function wasteWords(view) {
  const { waste, area, known } = view.waste.dataset;
  if (known === 'false') return ['The program records no use of objects (', el('code', {}, 'barrow_use'), '), so nothing can be said of waste. '];
  return Number(area) ? [el('b', { 'data-answer': 'waste', 'data-value': waste / area }, percent(waste, area)), ' of it was waste: held before its first use, after its last, or never used. '] : [];
}

/** The share of time that collections took, from a report with the runtime's own centres, or a profile of space by function. */
function collectingOf(file) {
  if (file.space) {
    const { total, ticks_collecting: collecting, ticks_profiling: profiling } = file.space;
    return { part: collecting, whole: total.top + collecting + profiling };
  }
  const { report } = file;
  if (!report || report.ticky || report.samples) return { part: 0, whole: 0 };
  const { nodes, names } = report;
  let part = 0;
  nodes.label.forEach((label, i) => { if (names[label] === 'GC' && names[nodes.module[i]] === 'GC') part += nodes.ticks[i]; });
  return { part, whole: nodes.ticks.reduce((sum, one) => sum + one, 0) };
}

function timeWords(file) {
  const { part, whole } = collectingOf(file);
  return part >= whole * 0.02 && part ? ['Collections took ', el('b', { 'data-answer': 'collecting', 'data-value': part / whole }, percent(part, whole)), ' of the time. '] : [];
}

/** The most costly of a report, by its measure. */
function costWords(view) {
  const { report } = view.file;
  if (!report || view.before) return [];
  if (report.samples) return report.words(view.measure);
  const tree = makeTree(report, view.measure);
  const own = new Map();
  for (const node of tree.nodes) own.set(label(node), (own.get(label(node)) || 0) + node.own);
  const [name, most] = [...own].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0]);
  const word = { time: 'of the time was spent in ', alloc: 'of the allocation was by ', entries: 'of all entries were into ' }[view.measure];
  return most ? [el('b', { 'data-answer': 'cost' }, percent(most, tree.root.total)), ` ${word}`, el('code', {}, shorten(name, 90)), '. '] : [];
}

function drawAnswer() {
  const box = $('#answer');
  const heaps = page.views.filter((view) => view.chart && view.heap.count);
  const lives = heaps.filter((view) => view.heap.biography);
  const others = heaps.filter((view) => !view.heap.biography);
  const compared = page.views.some((view) => view.pair || view.before);
  const words = [];
  if (!compared) {
    if (others.length) words.push(...(leakWords(others) || peakWords(others[0])).flat());
    else if (lives.length) words.push(...peakWordsOfLives(lives[0]));
    if (lives.length) words.push(...wasteWords(lives[0]));
    for (const view of page.views) if (view.file) words.push(...timeWords(view.file));
    if (!heaps.length) for (const view of page.views) if (view.flame && view.file) words.push(...costWords(view));
  }
  for (const view of page.views) if (view.words) words.push(...view.words());
  // What stays as it is makes the browser lay out nothing.
  const said = el('section', {}, words);
  if (said.innerHTML === box.innerHTML) return;
  box.hidden = !words.length;
  box.replaceChildren(...said.childNodes);
}

/** What changed from one run to the other, and who changed most, if anybody did. */
function changeWords({ before, after, unit, what, most }) {
  const step = after - before;
  return [what ? `${what[0].toUpperCase()}${what.slice(1)}: ` : '', el('b', { 'data-answer': 'change', 'data-value': step }, step ? signed(step, unit) : 'no change'),
    ` from ${amount(before, unit)} to ${amount(after, unit)}`,
    ...(most ? [`; most ${most.step > 0 ? 'grew' : 'shrank'} `, el('code', { 'data-answer': 'most', 'data-value': most.step }, shorten(most.name, 90)), ` by ${amount(Math.abs(most.step), unit)}`] : []), '. '];
}

/** A biography's bands are no producers: only how much there was. */
function peakWordsOfLives(view) {
  return view.peak ? ['The heap’s peak was ', el('b', {}, amount(view.peak, view.heap.unit)), '. '] : [];
}
