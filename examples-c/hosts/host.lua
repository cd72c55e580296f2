-- host.lua: a runtime in LuaJIT that keeps its lists and maps in a Barrow heap. LuaJIT's ffi reads barrow.cdef; the fast path of
-- allocation is the window's two words.
--
--     luajit examples-c/hosts/host.lua target/release/libbarrow.so include/barrow/barrow.cdef
local ffi = require "ffi"
local path, declarations, flags = arg[1] or "libbarrow.so.0.1", arg[2] or "/usr/local/include/barrow/barrow.cdef", arg[3] or ""

local file = assert(io.open(declarations))
ffi.cdef(file:read "*a")
file:close()
ffi.cdef [[
typedef struct { size_t header; void *tail; size_t value; } cell;
typedef struct { size_t header; void *less, *greater; size_t key, count; } node;
]]
local barrow = ffi.load(path)

local function check(ok)
  if not ok then error(ffi.string(barrow.barrow_last_error()), 2) end
end

if barrow.barrow_function_table(99, 0) == nil then
  print("version 99 is refused: " .. (barrow.barrow_last_error()[0] ~= 0 and "yes" or "no"))
end
check(barrow.barrow_function_table(barrow.BARROW_ABI_MAJOR, 0) ~= nil)

-- Kinds of objects. What the library reads of them is kept as long as the program.
local kept = {}
local function kind(description, type_name, pointers, words)
  local names = ffi.new "barrow_names"
  local info = ffi.new "barrow_info"
  local texts = { description, type_name, "Host", "host.lua" }
  names.description, names.type_name, names.module, names.source = unpack(texts)
  info.size, info.version = ffi.sizeof "barrow_info", barrow.BARROW_INFO_VERSION
  info.kind, info.ptrs, info.words = barrow.BARROW_CONSTR, pointers, words
  info.names = names
  kept[#kept + 1] = { names, info, texts }
  return ffi.cast("size_t", ffi.cast("void *", info))
end
local cell, node = kind("Cons", "List", 1, 1), kind("Node", "Map", 2, 2)

local config = ffi.new "barrow_config"
check(barrow.barrow_config_default(config, ffi.sizeof "barrow_config") == 0)
config.flags = flags
local heap_out, mutator_out = ffi.new "struct barrow_heap *[1]", ffi.new "barrow_mutator *[1]"
check(barrow.barrow_heap_new(config, heap_out, mutator_out) == 0)
local heap, m = heap_out[0], mutator_out[0]

-- Roots are a registered range: a callback into LuaJIT would have to wait for compiled traces to end.
local roots = ffi.new "void *[2]"
check(barrow.barrow_root_add(heap, "roots", roots, 2, false) == 0)
local LIST, MAP = 0, 1

local window = ffi.cast("barrow_window *", m)
local function alloc(words)
  local at = window.hp
  if at + words > window.hp_lim then return barrow.barrow_alloc_slow(m, words) end
  window.hp = at + words
  return at
end

for i = 1, 100000 do
  local new = ffi.cast("cell *", alloc(3))
  check(new ~= nil)
  new.header, new.tail, new.value = cell, roots[LIST], i
  roots[LIST] = new
end

-- Takes from what was reserved, so nothing moves in between.
local function insert(at, key)
  local new = ffi.cast("node *", window.hp)
  window.hp = window.hp + 5
  new.header = node
  if at == nil then
    new.less, new.greater, new.key, new.count = nil, nil, key, 1
    return new
  end
  local old = ffi.cast("node *", at)
  new.less, new.greater, new.key, new.count = old.less, old.greater, old.key, old.count
  local here = tonumber(old.key)
  if key == here then
    new.count = new.count + 1
  elseif key < here then
    new.less = insert(old.less, key)
  else
    new.greater = insert(old.greater, key)
  end
  return new
end

-- How many nodes an insertion makes: those on the way down to the key, and perhaps a new one.
local function nodes_to(at, key)
  local n = 1
  while at ~= nil do
    local old = ffi.cast("node *", at)
    local here = tonumber(old.key)
    if key == here then break end
    at = key < here and old.less or old.greater
    n = n + 1
  end
  return n
end

local before = roots[LIST]
for i = 0, 19999 do
  local key = i * 7919 % 1009 * 617 % 1009
  -- It is refused where the way is too long for one reservation, as in a tree of many keys that came in order.
  check(barrow.barrow_reserve_slow(m, 5 * nodes_to(roots[MAP], key)))
  roots[MAP] = insert(roots[MAP], key)
end

check(barrow.barrow_collect(m, true) == 0)

local total, at = 0, ffi.cast("cell *", roots[LIST])
while at ~= nil do
  total = total + tonumber(at.value)
  at = ffi.cast("cell *", at.tail)
end
local function sums(at)
  if at == nil then return 0, 0 end
  local here = ffi.cast("node *", at)
  local keys, all = sums(here.less)
  local more_keys, more = sums(here.greater)
  return keys + more_keys + 1, all + more + tonumber(here.count)
end
local stats = ffi.new "barrow_stats_t"
stats.size = ffi.sizeof "barrow_stats_t"
check(barrow.barrow_stats(heap, stats) == 0)
print(("list: %d, moved: %s"):format(total, before ~= roots[LIST] and "yes" or "no"))
print(("map: %d keys, %d in all"):format(sums(roots[MAP])))
print("collections: " .. (stats.collections > 1 and "several" or "one"))
check(barrow.barrow_heap_free(heap) == 0)
