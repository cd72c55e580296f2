// The band that was clicked: its whole name, its stack or its retainers, its figures.

/** Full members of the retainer set a band stands for, from a .prof on the same page; null if none is known.
    A runtime may use a number again for another set, so the band's text must agree with the members. */
function membersOf(view, name) {
  const { number, text } = numbered(name);
  const members = number !== null && view.heap.retainers ? view.heap.retainers.get(number) : null;
  if (!members) return null;
  const labels = members.map((member) => (member ? member.split(',')[0].replace(/^(?:\p{Lu}[\w']*\.)+/u, '') : 'MAIN')).join(',');
  const cut = text.replace(/\ufffd+$/u, '');
  return labels === text || (cut.length > 4 && labels.startsWith(cut)) ? members.map(memberText) : null;
}

/** The frames of a band, innermost first, whole where a report of the run has them; null for what is no stack. */
function stackOf({ heap }, name) {
  const band = heap.byName.get(name);
  const path = heap.stacks && band ? heap.stacks.of[band.index] : null;
  return path && path.length > 1 ? path.map((at) => heap.stacks.names[at]).reverse() : null;
}

/** The empty stack is the root's. */
const memberText = (member) => member || 'MAIN, the root';

function drawDetail(view) {
  const { detail, heap } = view;
  const band = state.focus ? heap.byName.get(state.focus) : null;
  detail.hidden = !band;
  if (!band) return;
  const stats = heap.stats(band, ...heap.counted(view.from, view.to));
  const { number, text } = numbered(band.name);
  const parts = [
    el('button', { type: 'button', class: 'plain close', 'aria-label': 'Close', onclick: () => change({ focus: null }) }, '✕'),
    el('h3', {}, band.name),
    el('p', {}, `mean ${amount(stats.mean, heap.unit)} · peak ${amount(stats.peak, heap.unit)} · end ${amount(stats.end, heap.unit)} · ${percent(stats.sum, view.windowSum)} of the window`),
  ];
  const members = membersOf(view, band.name);
  if (members) {
    parts.push(el('p', {}, `Retainer set ${number}: kept alive by ${members.length === 1 ? 'this stack' : `these ${members.length} stacks`}, innermost first`));
    parts.push(el('ul', {}, members.map((member) => el('li', {}, member))));
  } else if (stackOf(view, band.name)) {
    const stack = stackOf(view, band.name);
    const cut = stack.at(-1) === '...';
    parts.push(el('p', {}, cut ? 'The stack, innermost first; the runtime cut the rest (a greater -L keeps it, and so does the run’s .prof on this page)'
      : `The stack, innermost first${text.endsWith('...') ? `, whole from ${heap.stacks.from}` : ''}`));
    parts.push(el('ol', {}, (cut ? stack.slice(0, -1) : stack).map((frame) => el('li', {}, frame))));
  } else if (LIFE[band.name]) {
    parts.push(el('p', {}, `${LIFE[band.name].word}: ${LIFE[band.name].means}`));
  }
  detail.style.setProperty('--c', palette.of(band.name));
  detail.replaceChildren(...parts);
}
