import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildTopicIndex } from '@colloquy/core'
import { z } from 'zod'

/** A question and the topic that answers it. */
type Labelled = readonly [question: string, topic: string]

/** How many questions of each data set are asked at most. */
const MOST_ASKED = 4_000

const clincSchema = z.object({
  train: z.array(z.tuple([z.string(), z.string()])),
  val: z.array(z.tuple([z.string(), z.string()])),
  oos_train: z.array(z.tuple([z.string(), z.string()])),
  oos_val: z.array(z.tuple([z.string(), z.string()])),
})

/** Fields of a CSV text by RFC 4180. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  const rows: string[][] = []
  let row: string[] = []
  while (field.lastIndex < text.length) {
    const match = field.exec(text)
    if (match === null) throw new Error('The file is not CSV.')
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

/** The same mixture for the same seed. */
function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  let state = seed
  const keyed = items.map(item => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { item, key: Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0 }
  })
  return keyed.sort((a, b) => a.key - b.key).map(one => one.item)
}

/** The chance that a covered question is believed more than an uncovered one. */
function areaUnderCurve(covered: readonly number[], uncovered: readonly number[]): number {
  let wins = 0
  for (const one of covered) {
    for (const other of uncovered) wins += one > other ? 1 : one === other ? 0.5 : 0
  }
  return wins / (covered.length * uncovered.length)
}

async function evaluate(
  data: readonly Labelled[],
  examples: number,
  seed: number,
  uncovered: readonly string[],
) {
  const byTopic = new Map<string, Labelled[]>()
  for (const labelled of shuffled(data, seed)) {
    const [, topic] = labelled
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), labelled])
  }
  const topics = [...byTopic].map(([name, questions]) => ({
    id: name,
    name: name.replaceAll('_', ' '),
    content: name.replaceAll('_', ' '),
    actions: '',
    exampleQueries: questions.slice(0, examples).map(([question]) => question),
    isActive: true,
  }))
  const rest = [...byTopic].flatMap(([, questions]) => questions.slice(examples))
  const asked = shuffled(rest, seed).slice(0, MOST_ASKED)
  const started = performance.now()
  const index = await buildTopicIndex(topics)
  const built = performance.now()
  let first = 0
  let firstThree = 0
  const times: number[] = []
  const beliefs = asked.map(([question, topic]) => {
    const before = performance.now()
    const matches = index.search(question, 3)
    times.push(performance.now() - before)
    const names = matches.map(match => match.topic.name)
    const right = topic.replaceAll('_', ' ')
    if (names[0] === right) first += 1
    if (names.includes(right)) firstThree += 1
    return matches[0]?.confidence ?? 0
  })
  const doubts = uncovered.map(question => index.search(question, 1)[0]?.confidence ?? 0)
  const share = (list: readonly number[]): string =>
    (list.filter(confidence => confidence >= 0.5).length / Math.max(list.length, 1)).toFixed(3)
  return {
    examples,
    seed,
    'top-1': (first / asked.length).toFixed(3),
    'top-3': (firstThree / asked.length).toFixed(3),
    'ROC AUC': doubts.length === 0 ? '' : areaUnderCurve(beliefs, doubts).toFixed(3),
    'believed covered': share(beliefs),
    'believed uncovered': doubts.length === 0 ? '' : share(doubts),
    'build ms': Math.round(built - started),
    'p99 ms': (times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0).toFixed(2),
  }
}

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (values.data === undefined)
  throw new Error('Say where the data is: npm run eval:retrieval -- --data <folder>')
const banking = parseCsv(readFileSync(join(values.data, 'banking77/train.csv'), 'utf8'))
  .slice(1)
  .map(([question = '', topic = '']): Labelled => [question, topic])
const clinc = clincSchema.parse(JSON.parse(readFileSync(join(values.data, 'clinc150/train.json'), 'utf8')))
const clincCovered: readonly Labelled[] = [...clinc.train, ...clinc.val]
const clincUncovered = [...clinc.oos_train, ...clinc.oos_val].map(([question]) => question)
const rows: object[] = []
for (const seed of [1, 2, 3]) {
  rows.push({ set: 'Banking77', ...(await evaluate(banking, 20, seed, [])) })
  rows.push({ set: 'Banking77', ...(await evaluate(banking, 30, seed, [])) })
  rows.push({ set: 'CLINC150', ...(await evaluate(clincCovered, 20, seed, clincUncovered)) })
}
console.table(rows)
