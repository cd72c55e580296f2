// Samples of pprof's format: stacks of machine code with values and labels, as a report that the views of trees can show.

/** What the values of a heap profile are, with a verb for who made it. */
const SAMPLED = {
  __proto__: null,
  alloc_objects: 'the objects allocated were made', alloc_space: 'the memory allocated was taken',
  inuse_objects: 'the objects in use were made', inuse_space: 'the memory in use was taken',
};

/** What a report has of samples: `measures` and `groups`, and `grow` makes a tree of one of each. */
function sampleFile(file) {
  const { texts } = file;
  const lines = (text) => (text === '' ? [] : text.split('\n'));
  const functions = lines(file.functions).map((row) => {
    if (row.startsWith('+')) return { name: row.slice(1), src: '' };
    const [name, from, line] = row.split(' ').map(Number);
    return { name: texts[name] || '(unnamed)', src: texts[from] ? `${texts[from]}${line > 0 ? `:${line}` : ''}` : '' };
  });
  // A row without words is there all the same: a stack of no calls.
  const count = file.values === '' ? 0 : file.values.split('\n').length;
  const rows = (text) => (count ? text.split('\n').map((row) => (row === '' ? [] : row.split(' '))) : []);
  const stacks = rows(file.stacks).map((row) => row.map(Number));
  const values = rows(file.values).map((row) => row.map(Number));
  // Of two labels with one key the first counts, as in the command.
  const first = (pairs) => pairs.reduce((map, [key, text]) => (map.has(key) ? map : map.set(key, text)), new Map());
  const labels = rows(file.labels).map((row) => first(row.map((one) => {
    const [key, text] = one.split('=');
    if (text !== undefined) return [Number(key), texts[Number(text)]];
    const [number, amountOf, unit] = one.split(':');
    return [Number(number), `${amountOf} ${texts[Number(unit)]}`];
  })));
  // Keys are the names, told apart where two are the same.
  const measures = { __proto__: null };
  const keys = file.types.map(({ name }, at) => (file.types.findIndex((one) => one.name === name) < at ? `${name} (${at + 1})` : name));
  file.types.forEach(({ name, unit }, at) => {
    measures[keys[at]] = { word: keys[at].replace(/_/g, ' '), unit: unit === 'count' ? '' : unit, at, counted: file.types.findIndex((one) => one.name === name.replace(/_space$/, '_objects')) };
  });
  const groups = [['calls', 'Calls', 'Functions that called each other'], ...file.keys.map((key) => [`label ${key}`, `By ${texts[key].replace(/_/g, ' ')}`, `First by the label ${texts[key]}, then by calls`])];
  const totals = file.types.map((_, at) => values.reduce((sum, row) => sum + row[at], 0));
  const report = {
    job: file.program, date: file.time > 0 ? new Date(file.time).toLocaleString() : '', exact: true, samples: { count, totals, functions: functions.length, period: file.period },
    measures, main: keys[file.main], groups,
    grow(measure, group) {
      const { at, counted } = measures[measure];
      const tree = new Tree();
      tree.push('all', '', '', null);
      const key = group === 'calls' ? null : Number(group.slice(6));
      for (let i = 0; i < stacks.length; i++) {
        let node = tree.root;
        if (key !== null) {
          const text = labels[i].get(key);
          // A cost-centre stack is told from the innermost centre on.
          const parts = text === undefined ? ['(none)'] : texts[key] === 'cost_centre' ? text.split('/').reverse() : [text];
          for (const part of parts) node = tree.child(node, part, '', '');
        }
        for (const one of stacks[i]) node = tree.child(node, functions[one].name, '', functions[one].src);
        node.own += values[i][at];
        if (counted >= 0 && counted !== at) node.entries += values[i][counted];
      }
      return tree.addUp().order(false);
    },
  };
  /** What each function has of a measure: the innermost one that is not a part of this library, as `barrow top` has it. */
  report.owners = (measure) => {
    const own = new Map();
    stacks.forEach((stack, i) => {
      const names = stack.map((one) => functions[one].name);
      const name = names.findLast((one) => !one.startsWith('barrow_')) || names.at(-1);
      if (name) own.set(name, (own.get(name) || 0) + values[i][measures[measure].at]);
    });
    return own;
  };
  const said = new Map();
  /** Who has most of a measure. */
  report.words = (measure) => {
    if (!said.has(measure)) {
      const { at, word } = measures[measure];
      const [name, most] = [...report.owners(measure)].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0]);
      said.set(measure, most ? [percent(most, totals[at]), ` of ${SAMPLED[measure] || `${word} is`} by `, shorten(name, 90)] : null);
    }
    const words = said.get(measure);
    return words ? [el('b', { 'data-answer': 'cost' }, words[0]), words[1], el('code', {}, words[2]), '. '] : [];
  };
  const warnings = [...file.warnings];
  if (!file.resolved && count) warnings.push('Functions have no lines here: the program was built without debug information, or its file is elsewhere (barrow resolve --code).');
  return { type: 'samples', path: file.path, warnings, counters: [], retainers: null, report };
}

function sampleFigures(report, before, figure) {
  const { samples, measures } = report;
  const parts = Object.values(measures).map(({ word, unit, at }) => figure(`value${at}`, word[0].toUpperCase() + word.slice(1), samples.totals[at], amount(samples.totals[at], unit),
    before ? `from ${amount(before.samples.totals[at], unit)}` : ''));
  const { period } = samples;
  parts.push(figure('samples', 'Stacks', samples.count, exact(samples.count), period ? `a sample each ${amount(period[0], period[1])}${period[1] === 'bytes' ? '' : ` ${period[1]}`}` : ''));
  return el('dl', { class: 'stats' }, parts);
}
