import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { attachMessaging } from '@colloquy/ws-transport'
import { WebSocket } from 'ws'
import { admit, echo, furnish } from './reception.ts'
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

/** A visitor over a real socket, joined; the road of one message to its reply once all that is made once is made. */
async function roadOfTurn(
  platform: Platform,
  session: Session,
  { store, token }: { readonly store: Store; readonly token: string },
): Promise<Road> {
  const server = createServer()
  attachMessaging(server, platform)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { query } = await (await admit(platform, token))()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`)
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
    const { agent, token } = await furnish(platform)
    show('turn', await roadOfTurn(platform, session, { store, token }), listed)
    show('merge', await roadOfMerge(platform, session, agent.id), listed)
    await platform.close()
  })
  session.disconnect()
}
