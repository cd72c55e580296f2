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

/** The parts of a text, inflated beside each other and put together. */
async function inflateParts(text) {
  const parts = await Promise.all(text.split(' ').map((part) => inflate(fromBase64(part))));
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { bytes.set(part, at); at += part.length; }
  return bytes;
}

/** times, and for each band where it starts and its values: 32-bit where they fit, since there may be millions. */
function unpack(bytes, samples, bands) {
  const times = new Float64Array(bytes.slice(0, samples * 8).buffer);
  let at = samples * 8;
  const number = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const series = new Array(bands);
  for (let b = 0; b < bands; b++) {
    const start = number();
    const count = number();
    const unit = number();
    const most = number();
    const values = most * unit < 4294967296 ? new Uint32Array(count) : new Float64Array(count);
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
    series[b] = { start, values };
  }
  return { times, series };
}
