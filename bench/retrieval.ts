import { fileURLToPath } from 'node:url'
import type { AgentContent } from '@colloquy/core/runtime'
import { buildTopicIndex } from '@colloquy/runtime-retrieval'
import MiniSearch from 'minisearch'
import { readMemory } from '../packages/core/src/runtime/memory.ts'
import { decide } from '../packages/runtime-retrieval/src/decide.ts'
import { likenesses } from '../packages/runtime-retrieval/src/embedding/unit-vectors.ts'
import { buildKnowledge } from '../packages/runtime-retrieval/src/knowledge.ts'
import { RETRIEVAL_DEFAULTS } from '../packages/runtime-retrieval/src/turn-context.ts'
import { createWordings } from '../packages/runtime-retrieval/src/wording.ts'
import { median, printGoal } from './compare.ts'

type Topic = AgentContent['topics'][number]

const TOPICS = 10_000
const EXAMPLES = 10
const BUILDS = 5
/** Numbers of a vector: as many as those of small sentence models have. */
const DIMENSION = 512
const QUESTIONS = 2_000
/** The peer takes long. */
const PEER_QUESTIONS = 500

/** Texts of made-up words, few of them common and most of them rare, as in real ones; the same every time. */
function createWriter(): (length: number) => string {
  let state = 20_260_105
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const syllables = ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'zu']
  const word = (number: number): string => {
    const syllable = syllables[number % syllables.length] ?? ''
    return number < syllables.length ? syllable : syllable + word(Math.floor(number / syllables.length))
  }
  return length => Array.from({ length }, () => word(Math.floor(30_000 ** random()))).join(' ')
}

/** In no order: the names are made up one after the other. */
const writeTopics = (write: (length: number) => string): readonly Topic[] =>
  Array.from({ length: TOPICS }, (_, number) => ({
    id: String(number),
    name: `${write(3)} ${number}`,
    content: write(60),
    actions: '',
    exampleQueries: Array.from({ length: EXAMPLES }, () => write(7)),
    isActive: true,
  }))

/** CPU that this process has used, all its threads, milliseconds. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Watches the event loop: the longest time from one of its turns to the next, milliseconds by the clock. */
function watchTurns(): () => number {
  let longest = 0
  let last = performance.now()
  let stopped = false
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!stopped) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    stopped = true
    turn()
    return longest
  }
}

/** Builds several times: the medians of the CPU, and of the longest for which nothing else had its turn. */
async function measureBuilds<Built>(build: () => Promise<Built>) {
  const once = async () => {
    const stop = watchTurns()
    const before = cpuTime()
    const built = await build()
    return { built, cpu: cpuTime() - before, stall: stop() }
  }
  const first = await once()
  const runs = [first]
  while (runs.length < BUILDS) runs.push(await once())
  return {
    built: first.built,
    cpu: median(runs.map(({ cpu }) => cpu)),
    stall: median(runs.map(({ stall }) => stall)),
  }
}

/** Milliseconds of one call at the median and at the 99th percentile, of all calls as they came. */
function measureCalls<Input>(inputs: readonly Input[], call: (input: Input) => unknown) {
  const times = inputs.map(input => {
    const began = performance.now()
    call(input)
    return performance.now() - began
  })
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/**
 * Comparing a question's vector with those of all topics: all of it, and its longest step, for which nothing else has
 * its turn.
 */
function measureComparison(topics: readonly Topic[]) {
  const vector = () => Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5)
  const vectors = topics.map(vector)
  const longest: number[] = []
  const whole = measureCalls(Array.from({ length: 200 }, vector), question => {
    let most = 0
    const work = likenesses(vectors, question)
    for (let over = false; !over; ) {
      const began = performance.now()
      over = work.next().done === true
      most = Math.max(most, performance.now() - began)
    }
    longest.push(most)
  })
  return { whole: whole.p50, step: median(longest) }
}

/** Decisions about messages that no topic answers, so that every way to find one is tried. */
async function benchTurn(topics: readonly Topic[], write: (length: number) => string): Promise<void> {
  const stop = watchTurns()
  const knowledge = await buildKnowledge({ topics })
  const wording = createWordings({}).for(['en'])
  const rules = { ...RETRIEVAL_DEFAULTS, wording }
  const ask = (text: string) => decide(knowledge, readMemory({}), text, rules)
  printGoal('ours, longest turn with words for corrections', stop(), 10)
  const messages = {
    'one question of 7 words': () => `${write(7)}?`,
    '8 questions of 7 words': () => `${Array.from({ length: 8 }, () => write(7)).join('? ')}?`,
    '12 clauses of 2 words': () => Array.from({ length: 12 }, () => write(2)).join(', '),
    '40 questions of 70 words': () => `${Array.from({ length: 40 }, () => write(70)).join('? ')}?`,
  }
  for (const [name, message] of Object.entries(messages)) {
    const { p50, p99 } = measureCalls(Array.from({ length: 300 }, message), ask)
    printGoal(`ours, a turn, ${name}, median`, p50, null)
    printGoal(`ours, a turn, ${name}, 99th perc.`, p99, 10)
  }
}

/** Building the index of a large knowledge base and asking it, against MiniSearch. */
export async function benchRetrieval(): Promise<void> {
  const write = createWriter()
  const topics = writeTopics(write)
  const questions = Array.from({ length: QUESTIONS }, () => write(7))
  console.log(`\nRetrieval over ${TOPICS} topics of ${EXAMPLES} example queries, questions of 7 words`)
  const ours = await measureBuilds(() => buildTopicIndex(topics))
  printGoal('ours, build, CPU', ours.cpu, 2_000)
  printGoal('ours, longest turn of the event loop, by the clock', ours.stall, 10)
  const asked = measureCalls(questions, question => ours.built.search(question, 4))
  printGoal('ours, question, median', asked.p50, 1)
  printGoal('ours, question, 99th percentile', asked.p99, 5)
  const compared = measureComparison(topics)
  printGoal('ours, meanings of all topics compared, median', compared.whole, null)
  printGoal('ours, the longest step of that, median', compared.step, 2)
  await benchTurn(topics, write)
  const peer = await measureBuilds(async () => {
    const index = new MiniSearch<Topic>({
      fields: ['name', 'content', 'queries'],
      extractField: (topic, field) =>
        field === 'queries' ? topic.exampleQueries.join('\n') : String(Reflect.get(topic, field)),
    })
    index.addAll(topics)
    return index
  })
  printGoal(`MiniSearch, build, CPU: ${(peer.cpu / ours.cpu).toFixed(1)} × ours`, peer.cpu, null)
  printGoal('MiniSearch, longest turn of the event loop', peer.stall, null)
  const theirs = measureCalls(questions.slice(0, PEER_QUESTIONS), question => peer.built.search(question))
  printGoal(`MiniSearch, question, median: ${(theirs.p50 / asked.p50).toFixed(0)} × ours`, theirs.p50, null)
  printGoal('MiniSearch, question, 99th percentile', theirs.p99, null)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRetrieval()
