/** `npm run fuzz -- --minutes 5 --seed 1`: attacks a server of its own for so long, and says what came of it. */
import { parseArgs } from 'node:util'
import { startTarget } from './child.ts'
import { reportOf, unreached } from './report.ts'
import { runRoutes } from './run-routes.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const end = Date.now() + Number(values.minutes) * 60_000
console.log(`--minutes ${values.minutes} --seed ${seed}`)
const target = await startTarget()
const run = await runRoutes(target, { seed, goOn: () => Date.now() < end })
await target.stop()
console.log(reportOf(run))
const missed = unreached(run)
if (missed.length > 0) console.log(`No right request got through to ${missed.join(', ')}`)
process.exitCode = run.findings.length > 0 || missed.length > 0 || !run.otherUntouched ? 1 : 0
