// Biographical profiles as a picture of waste: how much of the heap, over the window, was of no use.

/** Whether a program has recorded no use at all, so that nothing is known of waste: whatever could have been used died unused. */
function recordsNoUse(heap) {
  const area = (name) => (heap.byName.has(name) ? heap.area(heap.byName.get(name), 0, heap.count) : 0);
  return area('VOID') > 0 && !area('USE') && !area('LAG') && !area('DRAG');
}

function drawWaste(view) {
  const { heap, from, to } = view;
  const lives = Object.keys(LIFE).filter((name) => heap.byName.has(name))
    .map((name) => ({ name, ...LIFE[name], area: heap.area(heap.byName.get(name), from, to) }));
  const all = lives.reduce((sum, life) => sum + life.area, 0);
  const wasted = lives.filter((life) => life.waste).reduce((sum, life) => sum + life.area, 0);
  const unit = `${heap.unit === 'bytes' ? '' : heap.unit}·${heap.sampleUnit === 'seconds' ? 's' : heap.sampleUnit}`;
  const colour = (life) => ({ '--c': palette.of(life.name) });
  view.waste.dataset.waste = wasted;
  view.waste.dataset.area = all;
  view.waste.dataset.known = String(!recordsNoUse(heap));
  view.waste.replaceChildren(
    el('p', { class: 'say' }, recordsNoUse(heap) ? 'The program records no use of objects (barrow_use), so nothing can be said of waste.' : all ? [el('b', {}, percent(wasted, all)), ' of the heap over this window was waste: memory held for objects before their first use, after their last, or never used.'] : 'Nothing was alive in this window.'),
    el('div', { class: 'split', role: 'img', 'aria-label': lives.map((life) => `${life.word} ${percent(life.area, all)}`).join(', ') },
      lives.map((life) => el('i', { style: { ...colour(life), '--w': String(all ? Math.max(0, life.area / all * 1000) : 1) }, title: `${life.word}: ${percent(life.area, all)}` }))),
    el('dl', {}, lives.map((life) => el('div', {},
      el('dt', { style: colour(life) }, `${life.word} ${percent(life.area, all)}`),
      el('dd', {}, `${life.means} · ${amount(life.area, heap.unit)}${unit}`)))));
}
