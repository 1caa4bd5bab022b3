// Names the regular expressions of packages and examples that take more than linear time on some text. `--write` stores
// the linear ones in a file, so that the next run need not check them. `--all` checks each again.
import { readFileSync, writeFileSync } from 'node:fs'
import { findingsOf } from './expressions/findings.ts'
import { expressionsOfSources } from './expressions/sources.ts'

const KEPT = new URL('expressions/linear.json', import.meta.url)

const known: readonly string[] = process.argv.includes('--all') ? [] : JSON.parse(readFileSync(KEPT, 'utf8'))
const { faults, linear, fresh } = findingsOf(expressionsOfSources(), new Set(known))
for (const fault of faults) console.error(fault)
if (process.argv.includes('--write')) writeFileSync(KEPT, `${JSON.stringify(linear, null, 2)}\n`)
else if (fresh > 0)
  console.log(`${fresh} expressions are new. \`npm run lint:expressions -- --write\` keeps what was found.`)
console.log(`${linear.length} regular expressions take linear time, ${faults.length} places do not.`)
// None at all means that none was looked at.
process.exitCode = faults.length > 0 || linear.length === 0 ? 1 : 0
