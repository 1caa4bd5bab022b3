/** The load of the messaging rows, in a process of its own: see `pair.ts` for what it is asked. */
import * as z from 'zod'
import { answerParent } from '../child.ts'
import { dialectOf, serverSchema } from './dialect.ts'
import { type Tally, Visitor } from './visitor.ts'

const jobSchema = serverSchema.extend({ sessions: z.number() })

/** Visitors who arrive at a time, and who connect again at a time. */
const ABREAST = 50

/** Milliseconds that a greeting, a reply or a replay may take. */
const PATIENCE = 10_000

const later = (milliseconds: number): Promise<void> =>
  new Promise(resolve => void setTimeout(resolve, milliseconds))

async function abreast(visitors: readonly Visitor[], some: number, act: (one: Visitor) => Promise<unknown>) {
  let next = 0
  const work = async (): Promise<void> => {
    for (let one = visitors[next++]; one !== undefined; one = visitors[next++]) await act(one)
  }
  await Promise.all(Array.from({ length: some }, work))
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

const { sessions, ...server } = jobSchema.parse(JSON.parse(process.argv[2] ?? '{}'))
const tally: Tally = {
  violations: { order: 0, missingMessageId: 0, lost: 0, notAnswered: 0 },
  turns: 0,
  latencies: [],
  goesOn: false,
}
let visitors: readonly Visitor[] = []
let markedAt = 0

async function setUp() {
  const began = performance.now()
  const dialect = await dialectOf(server)
  visitors = Array.from({ length: sessions }, () => new Visitor(dialect, server.port, tally))
  const greetings: Promise<void>[] = []
  await abreast(visitors, ABREAST, async one => void greetings.push((await one.arrive()).greeted))
  await Promise.race([Promise.all(greetings), later(PATIENCE)])
  tally.violations.notAnswered += visitors.filter(({ rests }) => !rests).length
  return { milliseconds: performance.now() - began }
}

function speak(): void {
  tally.goesOn = true
  for (const one of visitors) one.speak()
}

/** Returns the figures since the last mark. */
function mark() {
  const now = performance.now()
  const since = { turns: tally.turns, milliseconds: now - markedAt, p99: quantile(tally.latencies, 0.99) }
  Object.assign(tally, { turns: 0, latencies: [] })
  markedAt = now
  return since
}

/** Waits until every turn has its reply. */
async function rest(patience: number): Promise<void> {
  const end = performance.now() + patience
  while (visitors.some(one => !one.rests) && performance.now() < end) await later(5)
  tally.violations.notAnswered += visitors.filter(one => !one.rests).length
}

/** Every visitor connects again and gets the whole log. */
async function replay() {
  let events = 0
  await abreast(visitors, ABREAST, async one => {
    const replayed = await one.replay(PATIENCE)
    events += replayed
  })
  return { events }
}

async function leave(): Promise<void> {
  for (const one of visitors) one.leave()
  await later(300)
}

await answerParent(null, question => {
  switch (question) {
    case 'set up':
      return setUp()
    case 'speak':
      return speak()
    case 'mark':
      return mark()
    case 'rest':
      tally.goesOn = false
      return rest(PATIENCE)
    case 'leave':
      return leave()
    case 'replay':
      return replay()
    default:
      return tally.violations
  }
})
process.exit(0)
