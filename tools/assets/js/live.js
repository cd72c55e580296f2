// Follows the files of a server on this machine: asks whether they changed, and redraws in place if so.

async function follow(interval) {
  let tag = page.tag;
  const word = (text, gone) => {
    const mark = $('#live');
    if (!mark) return;
    mark.textContent = text;
    mark.classList.toggle('gone', gone);
  };
  for (;;) {
    await new Promise((done) => setTimeout(done, interval));
    if (document.hidden) continue;
    let answer;
    try {
      answer = await fetch(`data?have=${encodeURIComponent(tag)}`, { cache: 'no-store' });
    } catch {
      word('the server has gone', true);
      return;
    }
    if (!answer.ok) {
      word('the file can’t be read just now', true);
      continue;
    }
    try {
      // 204: it is as it was.
      if (answer.status !== 204) {
        const text = await answer.json();
        await load(text.meta, text.blobs);
        tag = text.meta.tag;
      }
      word('live', false);
    } catch {
      word('what changed can’t be shown', true);
    }
  }
}
