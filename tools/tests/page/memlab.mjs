// Loads a heap snapshot with memlab and prints what it read as JSON: sums, and for each type and name how many nodes there
// are, their own bytes, and the greatest retained size. tests/command/snapshot.rs compares.

import { createRequire } from 'node:module';
import path from 'node:path';

const { getFullHeapFromFile } = createRequire(path.join(process.env.PAGE_TEST, 'x.js'))('@memlab/heap-analysis');
const heap = await getFullHeapFromFile(process.argv[2]);
const found = { nodes: 0, edges: 0, bytes: 0, names: {} };
heap.nodes.forEach((node) => {
  found.nodes++;
  found.bytes += node.self_size;
  const one = (found.names[`${node.type} ${node.name}`] ||= { count: 0, bytes: 0, retained: 0 });
  one.count++;
  one.bytes += node.self_size;
  one.retained = Math.max(one.retained, node.retainedSize);
});
heap.edges.forEach(() => { found.edges++; });
console.log(`\nmemlab read ${JSON.stringify(found)}`);
