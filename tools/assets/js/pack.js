// Unpacks what the page carries: base64 of deflate streams, one behind the other, of sample times and of each band's
// differences.

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** times, and for each band where it starts and its values: 32-bit where they fit, since there may be millions. Whole bands are in
    a part, so that one is read while the browser inflates the next. */
async function unpack(text, samples, bands) {
  const parts = text.split(' ').map((part) => inflate(fromBase64(part)));
  // Whoever waits for a later part hears of its fault then.
  for (const part of parts) part.catch(() => {});
  const first = await parts[0];
  const times = new Float64Array(first.slice(0, samples * 8).buffer);
  const series = [];
  for (const [number, part] of parts.entries()) unpackBands(await part, number ? 0 : samples * 8, series);
  if (series.length !== bands) throw new Error(`${series.length} of ${bands} bands are there`);
  return { times, series };
}

/** The bands of a part, from byte `begin` on. */
function unpackBands(bytes, begin, series) {
  let next = begin;
  const number = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[next++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (next < bytes.length) {
    const start = number();
    const count = number();
    const unit = number();
    const most = number();
    const values = most * unit < 4294967296 ? new Uint32Array(count) : new Float64Array(count);
    // The place that a function shares is no register.
    let at = next;
    let value = 0;
    for (let i = 0; i < count; i++) {
      let byte = bytes[at++];
      let packed = byte & 127;
      if (byte > 127) {
        byte = bytes[at++];
        packed |= (byte & 127) << 7;
        if (byte > 127) {
          byte = bytes[at++];
          packed |= (byte & 127) << 14;
          if (byte > 127) {
            let scale = 2097152;
            do {
              byte = bytes[at++];
              packed += (byte & 127) * scale;
              scale *= 128;
            } while (byte > 127);
            value += packed % 2 ? -(packed + 1) / 2 : packed / 2;
            values[i] = value * unit;
            continue;
          }
        }
      }
      value += (packed >>> 1) ^ -(packed & 1);
      values[i] = value * unit;
    }
    next = at;
    series.push({ start, values });
  }
}
