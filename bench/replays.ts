import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createPlatform, type Platform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'

const CONVERSATIONS = 1_000

/** Messages of each conversation. */
const MESSAGES = 8

/** Conversations that are had at once. */
const AT_ONCE = 20

/** Sampling interval of the delay, milliseconds. A sample is late by at least that. */
const RESOLUTION = 5

const TOPICS = ['breakfast', 'parking', 'sauna', 'bicycles', 'laundry', 'pets', 'taxis', 'towels']

/** Makes an agent in live with some topics, and has the conversations. */
async function furnish({ access, agents, chat }: Platform) {
  const { id: accountId } = await access.createAccount({ slug: 'bench', name: 'Bench' })
  const { id: agentId } = await agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const branch = await agents.createBranch(agentId, { branchName: 'topics' })
  for (const name of TOPICS) {
    const topic = { name, content: `All about ${name}.`, exampleQueries: [`What about ${name}?`] }
    await agents.createTopic(agentId, branch.id, topic)
  }
  await agents.merge(agentId, branch.id)
  const { id: deploymentId } = await agents.publish(agentId, { environment: 'live' })
  const { connector } = await access.createConnector({ accountId, agentId, environment: 'live', hosts: [] })
  const talk = async (): Promise<void> => {
    const { conversationId } = await chat.create(connector, {})
    for (let said = 0; said < MESSAGES; said++)
      await chat.respond(connector, { conversationId, message: `What about ${TOPICS[said]}?` })
    await chat.close(connector, conversationId)
  }
  for (let had = 0; had < CONVERSATIONS; had += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, talk))
  return { agentId, deploymentId }
}

/** Watches turns of the event loop, and gives the most CPU time of this thread that one took, milliseconds. */
function watchTurns(): () => number {
  let [longest, before] = [0, process.threadCpuUsage()]
  let isOver = false
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isOver = true
    return longest
  }
}

/** Prints how long a replay of 1,000 conversations takes, and for how long it keeps everything else waiting. */
export async function measureReplays(): Promise<void> {
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime: createRetrievalRuntime(), rateLimits: null, log: silentLog },
  })
  const { agentId, deploymentId } = await furnish(platform)
  for (const mode of ['recorded_history', 'live_history'] as const) {
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    const longestTurn = watchTurns()
    delay.enable()
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    const { id } = await platform.agents.startReplay(agentId, { deploymentId, last: CONVERSATIONS, mode })
    await platform.idle()
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    delay.disable()
    const { verdicts, conversations } = await platform.agents.replay(agentId, id)
    console.log(
      `${mode}: ${conversations} conversations, ${verdicts.same} turns the same, in ${seconds.toFixed(1)} s (CPU ${((user + system) / 1e6).toFixed(1)} s); longest stall ${(delay.max / 1e6).toFixed(1)} ms, 99 % below ${(delay.percentile(99) / 1e6).toFixed(1)} ms; longest turn of the event loop ${longestTurn().toFixed(1)} ms of CPU`,
    )
  }
  await platform.close()
}
