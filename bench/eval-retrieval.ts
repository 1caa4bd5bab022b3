import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Embedder } from '@colloquy/core'
import { buildTopicIndex, commonWordsOf, ENGLISH_PHRASES, type TopicIndex } from '@colloquy/runtime-retrieval'
import { z } from 'zod'
import { createLocalEmbedder } from '../examples/local-embedder/src/index.ts'
import { unitVectors } from '../packages/core/src/domain/unit-vectors.ts'
import { likenesses, middle } from '../packages/runtime-retrieval/src/embedding/unit-vectors.ts'
import { examplesOf } from '../packages/runtime-retrieval/src/index/examples.ts'
import { finish } from '../packages/runtime-retrieval/src/index/finish.ts'
import { judgeLanguages } from './eval-languages.ts'

/** A question and the topic that answers it. */
type Labelled = readonly [question: string, topic: string]

/** Most questions of each data set. Embedding them takes long. */
const MOST_ASKED = 4_000
const MOST_EMBEDDED = 1_200
/** Both sets are in English. */
const COMMON_WORDS = commonWordsOf(ENGLISH_PHRASES)
/** Texts in a batch for the embedder. */
const BATCH = 32

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

/**
 * One data set, split: a topic for each label with its first examples, and questions that are not among the examples.
 */
interface Split {
  readonly set: string
  readonly examples: number
  readonly seed: number
  readonly topics: Parameters<typeof buildTopicIndex>[0]
  readonly asked: readonly Labelled[]
  readonly uncovered: readonly string[]
}

const nameOf = (label: string): string => label.replaceAll('_', ' ')

function splitOf(set: DataSet, examples: number, seed: number, most: number): Split {
  const byTopic = new Map<string, Labelled[]>()
  for (const labelled of shuffled(set.data, seed)) {
    const list = byTopic.get(labelled[1])
    if (list === undefined) byTopic.set(labelled[1], [labelled])
    else list.push(labelled)
  }
  const topics = [...byTopic].map(([label, questions]) => ({
    id: label,
    name: nameOf(label),
    content: nameOf(label),
    actions: '',
    exampleQueries: questions.slice(0, examples).map(([question]) => question),
    isActive: true,
  }))
  const rest = [...byTopic.values()].flatMap(questions => questions.slice(examples))
  const asked = shuffled(rest, seed).slice(0, most)
  return { set: set.name, examples, seed, topics, asked, uncovered: set.uncovered }
}

/** Likeness of each topic to a question; undefined for words alone. */
type Likeness = (question: string) => Float64Array | undefined

/** Asks every question of a split. */
function judge(index: TopicIndex, { asked, uncovered }: Split, likeness: Likeness) {
  let first = 0
  let firstThree = 0
  const times: number[] = []
  const beliefs = asked.map(([question, label]) => {
    const known = { likeness: likeness(question), commonWords: COMMON_WORDS }
    const before = performance.now()
    const matches = index.search(question, 3, known)
    times.push(performance.now() - before)
    const names = matches.map(match => match.topic.name)
    if (names[0] === nameOf(label)) first += 1
    if (names.includes(nameOf(label))) firstThree += 1
    return matches[0]?.confidence ?? 0
  })
  const doubts = uncovered.map(question => {
    const known = { likeness: likeness(question), commonWords: COMMON_WORDS }
    return index.search(question, 1, known)[0]?.confidence ?? 0
  })
  const share = (list: readonly number[]): number =>
    list.filter(confidence => confidence >= 0.5).length / Math.max(list.length, 1)
  return {
    first: first / asked.length,
    firstThree: firstThree / asked.length,
    area: doubts.length === 0 ? null : areaUnderCurve(beliefs, doubts),
    believed: share(beliefs),
    believedUncovered: doubts.length === 0 ? null : share(doubts),
    p99: times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0,
  }
}

const rounded = (value: number | null): string => (value === null ? '' : value.toFixed(3))

/** One line of the table. */
const rowOf = ({ set, examples, seed }: Split, judged: ReturnType<typeof judge>) => ({
  set,
  examples,
  seed,
  'top-1': rounded(judged.first),
  'top-3': rounded(judged.firstThree),
  'ROC AUC': rounded(judged.area),
  'believed covered': rounded(judged.believed),
  'believed uncovered': rounded(judged.believedUncovered),
})

/** Embeds in batches, each text once. */
function createVectors(embedder: Embedder) {
  const known = new Map<string, Float32Array>()
  return {
    async learn(texts: readonly string[]): Promise<void> {
      const missing = [...new Set(texts)].filter(text => !known.has(text)).sort((a, b) => a.length - b.length)
      for (let from = 0; from < missing.length; from += BATCH) {
        const batch = missing.slice(from, from + BATCH)
        const vectors = await embedder.embed(batch, new AbortController().signal)
        for (const [at, vector] of unitVectors(vectors, batch.length).entries())
          known.set(batch[at] ?? '', vector)
      }
    },
    of(text: string): Float32Array {
      const vector = known.get(text)
      if (vector === undefined) throw new Error(`This text was not embedded: ${text}`)
      return vector
    },
  }
}

/** Gives likenesses of a split as the runtime has them. */
async function likenessOf(vectors: ReturnType<typeof createVectors>, index: TopicIndex, split: Split) {
  const questions = [...split.asked.map(([question]) => question), ...split.uncovered]
  const texts = index.topics.map(topic => examplesOf(topic))
  await vectors.learn([...questions, ...texts.flat()])
  const middles = texts.map(list => middle(list.map(vectors.of)))
  const known = new Map(questions.map(one => [one, finish(likenesses(middles, vectors.of(one)))]))
  return (question: string) => known.get(question)
}

/** Words alone: three splits of each set. */
async function judgeWords(): Promise<void> {
  const rows: object[] = []
  for (const seed of [1, 2, 3]) {
    for (const split of [
      splitOf(banking, 20, seed, MOST_ASKED),
      splitOf(banking, 30, seed, MOST_ASKED),
      splitOf(clinc, 20, seed, MOST_ASKED),
    ]) {
      const started = performance.now()
      const index = await buildTopicIndex(split.topics)
      const built = performance.now()
      const judged = judge(index, split, () => undefined)
      const times = { 'build ms': Math.round(built - started), 'p99 ms': judged.p99.toFixed(2) }
      rows.push({ ...rowOf(split, judged), ...times })
    }
  }
  console.table(rows)
}

/** With an embedder: words and meanings on the same splits. */
async function judgeMeanings(embedder: Embedder): Promise<void> {
  const vectors = createVectors(embedder)
  const rows: object[] = []
  for (const set of [banking, clinc])
    for (const examples of [20, 3])
      for (const seed of [1, 2, 3]) {
        const split = splitOf(set, examples, seed, MOST_EMBEDDED)
        const index = await buildTopicIndex(split.topics)
        const likeness = await likenessOf(vectors, index, split)
        const words = judge(index, split, () => undefined)
        rows.push({ by: 'words', ...rowOf(split, words) })
        rows.push({ by: 'meaning', ...rowOf(split, judge(index, split, likeness)) })
      }
  console.table(rows)
}

/** Questions with their topics, and questions that no topic covers. */
interface DataSet {
  readonly name: string
  readonly data: readonly Labelled[]
  readonly uncovered: readonly string[]
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    embedder: { type: 'string' },
    half: { type: 'string', default: 'held' },
    topics: { type: 'string', default: '10,100,1000,10000' },
    examples: { type: 'string', default: '0,2,20' },
    misses: { type: 'boolean', default: false },
  },
})
if (values.data === undefined) {
  const numbers = (list: string) => list.split(',').map(Number)
  const sizes = { topics: numbers(values.topics), examples: numbers(values.examples) }
  const half = values.half === 'tune' ? 'tune' : 'held'
  console.table(await judgeLanguages(half, sizes, values.misses ? console.log : undefined))
  process.exit()
}
if (values.embedder !== undefined && values.embedder !== 'local')
  throw new Error(`There is no embedder ${values.embedder}: local is the one of examples/local-embedder.`)
const banking: DataSet = {
  name: 'Banking77',
  data: parseCsv(readFileSync(join(values.data, 'banking77/train.csv'), 'utf8'))
    .slice(1)
    .map(([question = '', topic = '']): Labelled => [question, topic]),
  uncovered: [],
}
const read = clincSchema.parse(JSON.parse(readFileSync(join(values.data, 'clinc150/train.json'), 'utf8')))
const clinc: DataSet = {
  name: 'CLINC150',
  data: [...read.train, ...read.val],
  uncovered: [...read.oos_train, ...read.oos_val].map(([question]) => question),
}
if (values.embedder === undefined) await judgeWords()
else {
  const embedder = createLocalEmbedder()
  await judgeMeanings(embedder)
  await embedder.close()
}
