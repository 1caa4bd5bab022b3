import { fileURLToPath } from 'node:url'
import { type AgentContent, buildTopicIndex } from '@colloquy/core'
import MiniSearch from 'minisearch'
import { printGoal } from './compare.ts'

type Topic = AgentContent['topics'][number]

const TOPICS = 10_000
const EXAMPLES = 10
const BUILDS = 5
const QUESTIONS = 500
const ROUNDS = 3

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

/** By name, as an agent's content has them. */
function writeTopics(write: (length: number) => string): readonly Topic[] {
  const topics = Array.from({ length: TOPICS }, (_, number) => ({
    id: String(number),
    name: `${write(3)} ${number}`,
    content: write(60),
    actions: '',
    exampleQueries: Array.from({ length: EXAMPLES }, () => write(7)),
    isActive: true,
  }))
  return topics.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** CPU that this process has used, milliseconds. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Watches the event loop: the longest time from one of its turns to the next. Of each turn the lesser of clock and CPU counts: the
 * clock sees what other processes take away, the CPU what threads of this process do beside it.
 */
function watchTurns(): () => number {
  let longest = 0
  let last = { cpu: cpuTime(), clock: performance.now() }
  let stopped = false
  const turn = (): void => {
    const now = { cpu: cpuTime(), clock: performance.now() }
    longest = Math.max(longest, Math.min(now.cpu - last.cpu, now.clock - last.clock))
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

/** What building once took, milliseconds of CPU; and the longest for which nothing else had its turn. */
async function measureBuild<Built>(build: () => Promise<Built>) {
  const stop = watchTurns()
  const before = cpuTime()
  const built = await build()
  return { built, cpu: cpuTime() - before, stall: stop() }
}

/** The best of several builds: what else the machine does makes none of them better. */
async function bestBuild<Built>(build: () => Promise<Built>) {
  const first = await measureBuild(build)
  const best = { ...first }
  for (let run = 1; run < BUILDS; run++) {
    const { cpu, stall } = await measureBuild(build)
    best.cpu = Math.min(best.cpu, cpu)
    best.stall = Math.min(best.stall, stall)
  }
  return best
}

/** Milliseconds of one question at the median and at the 99th percentile; each question counts with the best of its rounds. */
function measureQuestions(questions: readonly string[], ask: (question: string) => unknown) {
  const best = questions.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, question] of questions.entries()) {
      const began = performance.now()
      ask(question)
      best[at] = Math.min(best[at] ?? 0, performance.now() - began)
    }
  }
  best.sort((a, b) => a - b)
  const at = (share: number): number => best[Math.floor(best.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** Building the index of a large knowledge base and asking it, against MiniSearch (performance.md, Retrieval). */
export async function benchRetrieval(): Promise<void> {
  const write = createWriter()
  const topics = writeTopics(write)
  const questions = Array.from({ length: QUESTIONS }, () => write(7))
  console.log(`\nRetrieval over ${TOPICS} topics of ${EXAMPLES} example queries, questions of 7 words`)
  const ours = await bestBuild(() => buildTopicIndex(topics))
  printGoal('ours, build, CPU', ours.cpu, 1_000)
  printGoal('ours, longest turn of the event loop while building', ours.stall, 8)
  const asked = measureQuestions(questions, question => ours.built.search(question, 4))
  printGoal('ours, question, median', asked.p50, 1)
  printGoal('ours, question, 99th percentile', asked.p99, 5)
  const peer = await bestBuild(async () => {
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
  const theirs = measureQuestions(questions, question => peer.built.search(question))
  printGoal(`MiniSearch, question, median: ${(theirs.p50 / asked.p50).toFixed(0)} × ours`, theirs.p50, null)
  printGoal('MiniSearch, question, 99th percentile', theirs.p99, null)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRetrieval()
