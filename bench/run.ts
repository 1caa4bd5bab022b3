/**
 * `npm run bench` runs every bench, `npm run bench -- http start` those that are named. `--rounds 2 --seconds 1` is a
 * quick look at those that have rounds; `--keep` puts the results into the file that `docs/performance.md` is made from.
 */
import { parseArgs } from 'node:util'
import { measureConsole } from './console.ts'
import { measureFrameworks } from './frameworks.ts'
import { measureHttp } from './http.ts'
import { measureMessaging } from './messaging.ts'
import { measureReplays } from './replays.ts'
import { benchRoad } from './road.ts'
import { measureIdle } from './sockets.ts'
import { measureStalls } from './stalls.ts'
import { measureStart } from './start.ts'
import { keepResults, type Section, sectionOf } from './table/kept.ts'
import type { BenchOptions } from './table/options.ts'
import { printGoals, printResults } from './table/print.ts'
import type { Result } from './table/result.ts'
import { measureVoice } from './voice.ts'

/** A bench whose results are printed here. */
const printed =
  (measure: (options: BenchOptions) => Promise<readonly Result[]>) =>
  async (options: BenchOptions): Promise<readonly Result[]> => {
    const results = await measure(options)
    printResults(results)
    return results
  }

/** Benches of the rows of goals. */
const MEASURED: Readonly<Record<string, (options: BenchOptions) => Promise<readonly Result[]>>> = {
  messaging: printed(measureMessaging),
  http: printed(measureHttp),
  sockets: printed(measureIdle),
  start: printed(measureStart),
  console: printed(measureConsole),
  stalls: printed(measureStalls),
  frameworks: printed(measureFrameworks),
  voice: printed(measureVoice),
}

/** Benches that print what they find, without goals. */
const OTHERS: Readonly<Record<string, (options: BenchOptions) => Promise<unknown>>> = {
  replays: measureReplays,
  road: () => benchRoad(true),
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    conversations: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const options: BenchOptions = {
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
  ...(values.conversations === undefined ? {} : { conversations: Number(values.conversations) }),
}
const names = [...Object.keys(MEASURED), ...Object.keys(OTHERS)]
const unknown = wanted.find(name => !names.includes(name))
if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}; choose from ${names.join(', ')}.`)
  process.exit(1)
}
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)

const sections: Record<string, Section> = {}
for (const [name, measure] of Object.entries(MEASURED))
  if (isWanted(name)) sections[name] = await sectionOf(() => measure(options))
for (const [name, run] of Object.entries(OTHERS)) if (isWanted(name)) await run(options)

const results = Object.values(sections).flatMap(section => section.results)
printGoals(results)
if (results.length > 0) keepResults({ benches: sections }, values.keep)
if (results.some(({ unit, max }) => unit === 'violations' && max > 0)) {
  console.error('A server broke the protocol: its figures say nothing.')
  process.exitCode = 1
}
