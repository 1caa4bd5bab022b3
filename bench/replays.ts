import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform, silentLog } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { type LongestTurn, watchTurns } from './watch-turns.ts'
import { withFolder } from './with-folder.ts'

const CONVERSATIONS = 1_000

/** Messages of each conversation. */
const MESSAGES = 8

/** Conversations that are had at once. */
const AT_ONCE = 20

/** Milliseconds of a process that has nothing to do, which show what the machine alone does to it. */
const NOTHING = 2_000

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

const told = ({ clock, processor }: LongestTurn): string =>
  `longest turn of the event loop ${clock.toFixed(1)} ms by the clock, ${processor.toFixed(1)} ms by the processor`

async function measureOver(store: Store): Promise<void> {
  const platform = createPlatform({
    ...{ store, runtime: createRetrievalRuntime(), rateLimits: null, log: silentLog },
  })
  const { agentId, deploymentId } = await furnish(platform)
  // Ended conversations are still tidied up in the background.
  await platform.idle()
  const nothing = watchTurns()
  await sleep(NOTHING)
  console.log(`nothing to do: ${told(await nothing())}`)
  for (const mode of ['recorded_history', 'live_history'] as const) {
    const longest = watchTurns()
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    const { id } = await platform.agents.startReplay(agentId, { deploymentId, last: CONVERSATIONS, mode })
    await platform.idle()
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    const turn = told(await longest())
    const { verdicts, conversations } = await platform.agents.replay(agentId, id)
    console.log(
      `${mode}: ${conversations} conversations, ${verdicts.same} turns the same, in ${seconds.toFixed(1)} s (CPU ${((user + system) / 1e6).toFixed(1)} s); ${turn}`,
    )
  }
  await platform.close()
}

/**
 * Prints how long a replay of 1,000 conversations takes, and for how long it keeps everything else waiting. Over a
 * file: a store in memory holds all of them on the heap, whose collections would be most of what is measured.
 */
export const measureReplays = (): Promise<void> =>
  withFolder(folder => measureOver(createSqliteStore({ filename: join(folder, 'replays.db') })))
