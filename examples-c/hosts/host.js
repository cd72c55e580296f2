// host.js: a runtime in Node that keeps its lists and maps in a Barrow heap, through koffi, for which it reads barrow.cdef.
//
//     npm install koffi@3
//     node examples-c/hosts/host.js target/release/libbarrow.so include/barrow/barrow.cdef
'use strict';
const fs = require('fs');
const koffi = require('koffi');
const [path = 'libbarrow.so.0.1', declarations = '/usr/local/include/barrow/barrow.cdef', flags = ''] = process.argv.slice(2);

// What koffi takes is one struct and one prototype at a time. Pointers are addresses here, and enumerations numbers.
function declare(path, text) {
  const library = koffi.load(path);
  const barrow = {};
  const known = {};
  const type = (words) => {
    if (words.includes('*')) return 'void *';
    const name = words.replace(/\b(const|struct)\b/g, '').trim();
    return /\benum\b/.test(name) ? 'int' : known[name] || { barrow_address: 'size_t', barrow_block: 'void *' }[name] || name;
  };
  for (const [, body] of text.matchAll(/\benum\s*\w*\s*\{([^}]*)\}/g))
    for (const [, name, value] of body.matchAll(/(\w+) = (\d+)/g)) barrow[name] = Number(value);
  for (const [, name, body] of text.matchAll(/typedef struct (\w+) \{([^}]*)\}/g)) {
    const fields = {};
    for (const field of body.split(';').map((one) => one.trim()).filter(Boolean)) {
      const callback = field.match(/\(\*(\w+)\)/);
      const [, words, one, count] = field.match(/^(.*?)(\w+)(?:\[(\w+)\])?$/s) || [];
      if (callback) fields[callback[1]] = 'void *';
      else fields[one] = count ? koffi.array(type(words), barrow[count] ?? Number(count)) : type(words);
    }
    known[name] = koffi.struct(name, fields);
  }
  for (const statement of text.replace(/\{[^}]*\}/g, '').split(';')) {
    const [, result, name, list] = statement.match(/^\s*([\w\s*]+?)(barrow_\w+)\(([^()]*)\)\s*$/) || [];
    if (!name || /typedef/.test(result)) continue;
    const parameters = list === 'void' ? [] : list.split(',').map((one) => type(one.replace(/\w+\s*$/, '')));
    const gives = /char \*$/.test(result) ? 'const char *' : type(result);
    Object.defineProperty(barrow, name, { configurable: true, get() {
      const value = library.func(name, gives, parameters);
      Object.defineProperty(barrow, name, { value });
      return value;
    } });
  }
  return { barrow, known };
}
const { barrow, known } = declare(path, fs.readFileSync(declarations, 'utf8'));

function check(ok) {
  if (!ok) throw new Error(barrow.barrow_last_error());
}
if (!barrow.barrow_function_table(99, 0)) console.log(`version 99 is refused: ${barrow.barrow_last_error() ? 'yes' : 'no'}`);
check(barrow.barrow_function_table(barrow.BARROW_ABI_MAJOR, 0));

const word = (address, n) => BigInt(koffi.decode(address, 8 * n, 'uint64_t'));
// A struct or a text outside of JavaScript's heap, for as long as the program runs.
const kept = (of, value) => {
  const place = koffi.alloc(of, 1);
  koffi.encode(place, of, value);
  return place;
};
const text = (of) => kept(koffi.array('char', Buffer.byteLength(of) + 1), of);

function kind(description, typeName, ptrs, words) {
  const names = kept(known.barrow_names, {
    description: text(description), type_name: text(typeName), module: text('Host'), source: text('host.js') });
  return kept(known.barrow_info, { size: koffi.sizeof(known.barrow_info), version: barrow.BARROW_INFO_VERSION, id: 0, entry: null,
    kind: barrow.BARROW_CONSTR, flags: 0, field: 0, ptrs, words, reserved: 0, bitmap: 0, large: null, custom: null, srt: null, names });
}
const cell = kind('Cons', 'List', 1, 1), node = kind('Node', 'Map', 2, 2);

const size = koffi.sizeof(known.barrow_config);
const config = koffi.alloc(known.barrow_config, 1);
check(barrow.barrow_config_default(config, size) === barrow.BARROW_OK);
koffi.encode(config, koffi.offsetof(known.barrow_config, 'flags'), 'void *', text(flags));
const out = koffi.alloc('size_t', 2);
check(barrow.barrow_heap_new(config, out, out + 8n) === barrow.BARROW_OK);
const heap = word(out, 0), m = word(out, 1);

// Roots are a registered range, which a collection reads with no call.
const roots = koffi.alloc('size_t', 2);
koffi.encode(roots, 'uint64_t', [0n, 0n], 2);
check(barrow.barrow_root_add(heap, text('roots'), roots, 2, false) === barrow.BARROW_OK);
const [LIST, MAP] = [0, 1];
const get = (n) => word(roots, n);
const set = (n, object) => koffi.encode(roots, 8 * n, 'uint64_t', object);

// Never collects, so addresses stay good until `safepoint`.
function make(info, ...fields) {
  const at = barrow.barrow_allocate(m, 1 + fields.length);
  check(at);
  koffi.encode(at, 'uint64_t', [info, ...fields], 1 + fields.length);
  return at;
}
let collections = 0;
function safepoint(major = false) {
  if (major || barrow.barrow_wants_gc(m)) {
    collections++;
    check(barrow.barrow_collect(m, major) === barrow.BARROW_OK);
  }
  check(barrow.barrow_safepoint(m) === barrow.BARROW_OK); // a sample of a profile is taken here
}

for (let i = 1n; i <= 100000n; i++) {
  set(LIST, make(cell, get(LIST), i));
  safepoint();
}
function insert(at, key) {
  if (!at) return make(node, 0n, 0n, key, 1n);
  let [less, greater, here, count] = [1, 2, 3, 4].map((n) => word(at, n));
  if (key === here) count++;
  else if (key < here) less = insert(less, key);
  else greater = insert(greater, key);
  return make(node, less, greater, here, count);
}
const before = get(LIST);
for (let i = 0n; i < 20000n; i++) {
  set(MAP, insert(get(MAP), ((i * 7919n) % 1009n * 617n) % 1009n));
  safepoint();
}
safepoint(true);

let total = 0n;
for (let at = get(LIST); at; at = word(at, 1)) total += word(at, 2);
function sums(at) {
  if (!at) return [0, 0n];
  const [keys, all] = sums(word(at, 1)), [moreKeys, more] = sums(word(at, 2));
  return [keys + moreKeys + 1, all + more + word(at, 4)];
}
console.log(`list: ${total}, moved: ${before !== get(LIST) ? 'yes' : 'no'}`);
console.log(`map: ${sums(get(MAP)).join(' keys, ')} in all`);
console.log(`collections: ${collections > 1 ? 'several' : 'one'}`);
check(barrow.barrow_heap_free(heap) === barrow.BARROW_OK);
