/** `npm run fuzz -- --minutes 5 --seed 1`: attacks a server of its own for so long, and says what came of it. */
import { parseArgs } from 'node:util'
import { startTarget } from './child.ts'
import { fuzzFrames } from './fuzz-frames.ts'
import { reportOf, unreached } from './report.ts'
import { runRoutes } from './run-routes.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const half = (Number(values.minutes) * 60_000) / 2
console.log(`--minutes ${values.minutes} --seed ${seed}`)
const target = await startTarget()
const middle = Date.now() + half
const run = await runRoutes(target, { seed, goOn: () => Date.now() < middle })
const end = Date.now() + half
const frames = await fuzzFrames({ target, seed, goOn: round => round === 0 || Date.now() < end })
const { findings, ...figures } = frames
const heap = await target.heap()
await target.stop()
console.log(reportOf(run))
console.log(`sockets: ${JSON.stringify(figures)}; heap after them ${(heap / 1_048_576).toFixed(1)} MB`)
console.log([...new Set(findings)].join('\n'))
const missed = unreached(run)
if (missed.length > 0) console.log(`No right request got through to ${missed.join(', ')}`)
const failed = run.findings.length + findings.length + missed.length > 0 || !run.otherUntouched
process.exitCode = failed ? 1 : 0
