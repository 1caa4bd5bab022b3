import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import { attachMessaging } from '@colloquy/ws-transport'
import { WebSocket } from 'ws'
import { withFolder } from './with-folder.ts'

/** Our own code that one action runs. */
interface Road {
  readonly files: ReadonlyMap<string, number>
  readonly functions: number
  readonly calls: number
  /** Promises that the whole process makes meanwhile, the client's too. */
  readonly promises: number
}

const OWN = /\/packages\/([^/]+\/src\/.*)$/

/** Lets everything that follows from it happen, before it is counted. */
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 200))

async function roadOf(session: Session, happen: () => Promise<unknown>): Promise<Road> {
  let promises = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') promises++
    },
  })
  await session.post('Profiler.takePreciseCoverage')
  hook.enable()
  await happen()
  hook.disable()
  await settled()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = new Map<string, number>()
  let functions = 0
  for (const { functions: all, url } of result) {
    const [, file] = OWN.exec(url) ?? []
    // The first function of a file is the module.
    const calls = all.slice(1).map(({ ranges }) => ranges[0]?.count ?? 0)
    const sum = calls.reduce((total, count) => total + count, 0)
    if (file === undefined || sum === 0) continue
    functions += calls.filter(count => count > 0).length
    files.set(file, sum)
  }
  return { files, functions, calls: [...files.values()].reduce((sum, count) => sum + count, 0), promises }
}

const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said ${input.text}.` : 'Welcome.' }
  },
}

const TOKEN = 'connector-token-for-benches'

async function reception(platform: Platform): Promise<string> {
  const account = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Echo', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const whose = { accountId: account.id, agentId: agent.id, environment: 'live' } as const
  await platform.access.createConnector({ ...whose, hosts: ['localhost'], token: TOKEN })
  return agent.id
}

/** A visitor over a real socket, joined; the road of one message to its reply once all that is made once is made. */
async function roadOfTurn(platform: Platform, session: Session, store: Store): Promise<Road> {
  const server = createServer()
  attachMessaging(server, platform)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const asked = { connectorToken: TOKEN, host: 'localhost', remoteAddress: '127.0.0.1' }
  const { accessToken } = await platform.messaging.issueAccessToken(asked)
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await platform.messaging.createSession({ authorization, streaming: false })
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${accessToken}`,
  )
  let answered = (): void => undefined
  socket.on('message', data => {
    if (String(data).includes('"EVENT_TYPE_AI_AGENT_MESSAGE"')) answered()
  })
  await once(socket, 'open')
  const say = (type: string, payload: object): Promise<void> =>
    new Promise(resolve => {
      answered = resolve
      socket.send(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }))
    })
  await say('REQUEST_AI_AGENT_JOIN', {})
  for (let turn = 0; turn < 3; turn++) await say('USER_MESSAGE', { text: 'How much is a room?' })
  await settled()
  const { append } = store.conversations
  let commits = 0
  store.conversations.append = write => {
    commits++
    return append(write)
  }
  const road = await roadOf(session, () => say('USER_MESSAGE', { text: 'How much is a room?' }))
  store.conversations.append = append
  console.log(`  a turn makes ${commits} commits`)
  socket.terminate()
  server.close()
  return road
}

/** A branch with one topic that is merged. */
async function roadOfMerge(platform: Platform, session: Session, agentId: string): Promise<Road> {
  const branch = async (name: string): Promise<string> => {
    const { id } = await platform.agents.createBranch(agentId, { branchName: name })
    const topic = { name, content: 'We open at nine.', exampleQueries: ['When do you open?'] }
    await platform.agents.createTopic(agentId, id, topic)
    return id
  }
  await platform.agents.merge(agentId, await branch('first'), {})
  const second = await branch('second')
  await settled()
  return roadOf(session, () => platform.agents.merge(agentId, second, {}))
}

function show(name: string, { calls, files, functions, promises }: Road, listed: boolean): void {
  console.log(
    `  ${name.padEnd(8)} ${files.size} files, ${functions} functions, ${calls} calls, ${promises} promises`,
  )
  if (!listed) return
  for (const [file, count] of [...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`    ${String(count).padStart(4)} ${file}`)
}

/** Measures the code that a visitor's turn and a merge run, by V8's own count. */
export async function benchRoad(listed = false): Promise<void> {
  console.log('\nRoads through packages/*/src, by coverage of V8')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await withFolder(async folder => {
    const store = createSqliteStore({ filename: join(folder, 'road.db') })
    const platform = createPlatform({ store, runtime: echo, rateLimits: null })
    const agentId = await reception(platform)
    show('turn', await roadOfTurn(platform, session, store), listed)
    show('merge', await roadOfMerge(platform, session, agentId), listed)
    await platform.close()
  })
  session.disconnect()
}
