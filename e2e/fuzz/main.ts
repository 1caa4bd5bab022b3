/** `npm run fuzz -- --minutes 5 --seed 1`: attacks a server of its own for so long, and says what came of it. */
import { parseArgs } from 'node:util'
import { startTarget } from './child.ts'
import { fuzzFrames } from './fuzz-frames.ts'
import { excess, MARGIN } from './memory.ts'
import { megabytes, reportOf, unreached } from './report.ts'
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
const afterSockets = await target.memory()
const ended = await target.end()
const afterAll = await target.memory()
const late = await target.errors()
await target.stop()
console.log(reportOf(run))
console.log(`sockets: ${JSON.stringify(figures)}`)
console.log([...new Set([...findings, ...late])].join('\n'))
console.log(
  `memory after the sockets ${megabytes(afterSockets)}; after ending ${JSON.stringify(ended)} ${megabytes(afterAll)}`,
)
const over = excess(run.memory, afterAll)
if (over > 0)
  console.log(`MEMORY NOT BACK: ${megabytes(over)} over ${megabytes(MARGIN)} more than when it was warm`)
const missed = unreached(run)
if (missed.length > 0) console.log(`No right request got through to ${missed.join(', ')}`)
const failed =
  run.findings.length + findings.length + late.length + missed.length + over > 0 || !run.otherUntouched
process.exitCode = failed ? 1 : 0
