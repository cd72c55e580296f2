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

/** The frames of a numbered band, innermost first; null for what is no stack. */
function stackOf(view, name) {
  const { number, text } = numbered(name);
  return number !== null && text.includes('/') && !text.includes(',') ? text.split('/') : null;
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
  } else if (number !== null && text.includes('/')) {
    parts.push(el('p', {}, text.endsWith('...') ? 'The stack, innermost first; the runtime cut the rest (a greater -L keeps it)' : 'The stack, innermost first'));
    parts.push(el('ol', {}, text.split('/').map((frame) => el('li', {}, frame))));
  } else if (LIFE[band.name]) {
    parts.push(el('p', {}, `${LIFE[band.name].word}: ${LIFE[band.name].means}`));
  }
  detail.style.setProperty('--c', palette.of(band.name));
  detail.replaceChildren(...parts);
}
