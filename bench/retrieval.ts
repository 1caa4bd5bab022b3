import { fileURLToPath } from 'node:url'
import { type AgentContent, buildTopicIndex } from '@colloquy/core'
import MiniSearch from 'minisearch'
import { printGoal } from './compare.ts'

type Topic = AgentContent['topics'][number]

const TOPICS = 10_000
const EXAMPLES = 10
const BUILDS = 5
const QUESTIONS = 2_000

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

function writeTopics(write: (length: number) => string): readonly Topic[] {
  return Array.from({ length: TOPICS }, (_, number) => ({
    id: String(number),
    name: `${write(3)} ${number}`,
    content: write(60),
    actions: '',
    exampleQueries: Array.from({ length: EXAMPLES }, () => write(7)),
    isActive: true,
  }))
}

/** CPU that this process has used, milliseconds. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Watches the event loop: the longest time from one of its turns to the next, in CPU of this process. What other processes take
 * away from it does not count.
 */
function watchTurns(): () => number {
  let longest = 0
  let last = cpuTime()
  let stopped = false
  const turn = (): void => {
    const now = cpuTime()
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

/** Milliseconds of one question at the median and at the 99th percentile, the better of two rounds. */
function measureQuestions(questions: readonly string[], ask: (question: string) => unknown) {
  const round = () => {
    const times = questions
      .map(question => {
        const began = performance.now()
        ask(question)
        return performance.now() - began
      })
      .sort((a, b) => a - b)
    const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
    return { p50: at(0.5), p99: at(0.99) }
  }
  const [first, second] = [round(), round()]
  return { p50: Math.min(first.p50, second.p50), p99: Math.min(first.p99, second.p99) }
}

/** Building the index of a large knowledge base and asking it, against MiniSearch (performance.md, Retrieval). */
export async function benchRetrieval(): Promise<void> {
  const write = createWriter()
  const topics = writeTopics(write)
  const questions = Array.from({ length: QUESTIONS }, () => write(7))
  console.log(`\nRetrieval over ${TOPICS} topics of ${EXAMPLES} example queries, questions of 7 words`)
  const ours = await bestBuild(() => buildTopicIndex(topics))
  printGoal('ours, build, CPU', ours.cpu, 1_000)
  printGoal('ours, longest turn of the event loop while building, CPU', ours.stall, 8)
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
  printGoal('MiniSearch, longest turn of the event loop, CPU', peer.stall, null)
  const theirs = measureQuestions(questions, question => peer.built.search(question))
  printGoal(`MiniSearch, question, median: ${(theirs.p50 / asked.p50).toFixed(0)} × ours`, theirs.p50, null)
  printGoal('MiniSearch, question, 99th percentile', theirs.p99, null)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRetrieval()
