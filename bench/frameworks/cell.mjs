/**
 * One process of one subject, in the folder where that is installed: `cell.mjs seed|measure SUBJECT FOLDER LINES`.
 * Prints a line of JSON for each number of turns at once.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ANSWER, question } from './shared.mjs'

const [job, subject, folder, lines] = process.argv.slice(2)
const { open } = await import(`./${subject}.mjs`)

const CONVERSATIONS = 256
const AT_ONCE = [1, 32]
/** A measurement ends with this many turns, or after so many seconds with at least the fewest. */
const TURNS = { fewest: 200, most: 2_048 }
const SECONDS = { warm: 1, fewest: 1, most: 4 }

/** Counts what is run on the driver that the subject has. */
function countStatements() {
  const counted = { statements: 0 }
  const require = createRequire(import.meta.url)
  for (const name of ['better-sqlite3', 'libsql']) {
    let Database
    try {
      Database = require(name)
    } catch {
      continue
    }
    const database = new Database(':memory:')
    const { prototype } = Object.getPrototypeOf(database.prepare('select 1')).constructor
    const methods = ['run', 'get', 'all', 'iterate'].map(method => [prototype, method])
    for (const [holder, method] of [...methods, [Database.prototype, 'exec']]) {
      const original = holder[method]
      if (original === undefined) continue
      holder[method] = function (...given) {
        counted.statements++
        return original.apply(this, given)
      }
    }
    database.close()
  }
  return counted
}

async function seed() {
  mkdirSync(folder, { recursive: true })
  const host = await open(folder)
  const ids = await Promise.all(
    Array.from({ length: CONVERSATIONS }, (_, at) => host.seed(`chat-${at}`, Number(lines))),
  )
  await host.close()
  writeFileSync(`${folder}/ids.json`, JSON.stringify(ids))
}

async function measure() {
  const counted = countStatements()
  const ids = JSON.parse(readFileSync(`${folder}/ids.json`, 'utf8'))
  const host = await open(folder)
  for (const atOnce of AT_ONCE) {
    let turns = 0
    // Each visitor has conversations of its own: there are never two turns at once in one.
    const next = Array.from({ length: atOnce }, (_, visitor) => visitor)
    const run = isEnough =>
      Promise.all(
        next.map(async (_, visitor) => {
          while (!isEnough()) {
            const number = next[visitor]
            next[visitor] += atOnce
            const answer = await host.turn(ids[number % CONVERSATIONS], question(number))
            if (answer !== ANSWER) throw new Error(`It answered: ${answer}`)
            turns++
          }
        }),
      )
    const seconds = since => (performance.now() - since) / 1_000
    const warmed = performance.now()
    await run(() => seconds(warmed) > SECONDS.warm || turns >= CONVERSATIONS)
    turns = 0
    counted.statements = 0
    globalThis.gc()
    const [before, began] = [process.cpuUsage(), performance.now()]
    await run(() => {
      const took = seconds(began)
      return took > SECONDS.most || turns >= TURNS.most || (turns >= TURNS.fewest && took > SECONDS.fewest)
    })
    const took = seconds(began)
    const { system, user } = process.cpuUsage(before)
    const figures = {
      ...{ cpu: (user + system) / turns, perSecond: turns / took, statements: counted.statements / turns },
    }
    console.log(`\nfigures ${JSON.stringify({ atOnce, ...figures })}`)
  }
  await host.close()
}

await (job === 'seed' ? seed() : measure())
process.exit(0)
