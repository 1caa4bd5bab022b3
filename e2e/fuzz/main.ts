/** `npm run fuzz -- --minutes 5 --seed 1`: attacks a server of its own for so long, and says what came of it. */
import { parseArgs } from 'node:util'
import { startTarget } from './child.ts'
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

console.log(`--minutes ${values.minutes} --seed ${seed}`)
const target = await startTarget()
const end = Date.now() + Number(values.minutes) * 60_000
const run = await runRoutes(target, { seed, goOn: () => Date.now() < end })
const ended = await target.end()
const afterAll = await target.memory()
const late = await target.errors()
await target.stop()
console.log(reportOf(run))
console.log([...new Set(late)].join('\n'))
console.log(`memory after ending ${JSON.stringify(ended)} ${megabytes(afterAll)}`)
const over = excess(run.memory, afterAll)
if (over > 0)
  console.log(`MEMORY NOT BACK: ${megabytes(over)} over ${megabytes(MARGIN)} more than when it was warm`)
const missed = unreached(run)
if (missed.length > 0) console.log(`No right request got through to ${missed.join(', ')}`)
const failed = run.findings.length + late.length + missed.length + over > 0 || !run.otherUntouched
process.exitCode = failed ? 1 : 0
