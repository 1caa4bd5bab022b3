/** `npm run bench` runs every bench, `npm run bench -- agents turns` those that are named. */
import { benchAgents } from './agents.ts'
import { benchAppends } from './appends.ts'
import { benchConcurrency } from './concurrency.ts'
import { benchHeap } from './heap.ts'
import { benchHttp } from './http.ts'
import { benchRecords } from './records.ts'
import { benchRetention } from './retention.ts'
import { benchRetrieval } from './retrieval.ts'
import { benchSearch } from './search.ts'
import { benchStart } from './start.ts'
import { benchTransition } from './transition.ts'
import { benchTurns } from './turns.ts'

const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  transition: benchTransition,
  turns: benchTurns,
  appends: benchAppends,
  agents: benchAgents,
  concurrency: benchConcurrency,
  records: benchRecords,
  search: benchSearch,
  retention: benchRetention,
  heap: benchHeap,
  start: benchStart,
  http: () => benchHttp(),
  retrieval: benchRetrieval,
}

const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !Object.hasOwn(BENCHES, name))
if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}; choose from ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run()
}
