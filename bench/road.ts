import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type Agent, createPlatform, type Platform, type TextCarrier } from '@colloquy/core'
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
  /** Writes to the disk, each of which may carry several batches. */
  readonly commits: number
  readonly statements: number
}

const OWN = /\/packages\/([^/]+\/src\/.*)$/

/** The functions of the adapter that run statements, and the one that commits. */
const RUNS_STATEMENT: ReadonlySet<string> = new Set(['get', 'all', 'run'])
const STATEMENTS = 'adapter-sqlite/src/database/statements.ts'
const WRITE_QUEUE = 'adapter-sqlite/src/database/write-queue.ts'

/** A number of the agent's, and one of a user's. */
const OURS = '+12025550100'
const THEIRS = '+12025550111'

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
  let commits = 0
  let statements = 0
  for (const { functions: all, url } of result) {
    const [, file] = OWN.exec(url) ?? []
    for (const { functionName, ranges } of all) {
      const count = ranges[0]?.count ?? 0
      if (file === WRITE_QUEUE && functionName === 'together') commits += count
      if (file === STATEMENTS && RUNS_STATEMENT.has(functionName)) statements += count
    }
    // The first function of a file is the module.
    const calls = all.slice(1).map(({ ranges }) => ranges[0]?.count ?? 0)
    const sum = calls.reduce((total, count) => total + count, 0)
    if (file === undefined || sum === 0) continue
    functions += calls.filter(count => count > 0).length
    files.set(file, sum)
  }
  const calls = [...files.values()].reduce((sum, count) => sum + count, 0)
  return { files, functions, calls, promises, commits, statements }
}

/** A visitor over a real socket, joined; the road of one message to its reply once all that is made once is made. */
async function roadOfTurn(platform: Platform, session: Session, token: string): Promise<Road> {
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
  const road = await roadOf(session, () => say('USER_MESSAGE', { text: 'How much is a room?' }))
  socket.terminate()
  server.close()
  return road
}

/** A visitor who gets a session; the first one has made all that is made once. */
async function roadOfOpening(platform: Platform, session: Session, token: string): Promise<Road> {
  const open = await admit(platform, token)
  await open()
  await settled()
  return roadOf(session, open)
}

/** A text of a user's that comes in, until its reply is with the carrier; the first of a session, and the next one. */
async function roadsOfTexts(
  platform: Platform,
  session: Session,
  sent: (listener: () => void) => void,
): Promise<readonly [first: Road, next: Road]> {
  let texts = 0
  const text = (theirs: string): Promise<void> =>
    new Promise((resolve, reject) => {
      sent(resolve)
      texts++
      platform.texts
        .received({ id: `IN-${texts}`, from: theirs, to: OURS, text: 'How much is a room?' })
        .catch(reject)
    })
  await text(THEIRS)
  await settled()
  const first = await roadOf(session, () => text(`${THEIRS}2`))
  await settled()
  return [first, await roadOf(session, () => text(THEIRS))]
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

function show(name: string, road: Road, listed: boolean): void {
  const { calls, commits, files, functions, promises, statements } = road
  console.log(
    `  ${name.padEnd(10)} ${files.size} files, ${functions} functions, ${calls} calls, ${promises} promises, ${commits} commits, ${statements} statements`,
  )
  if (!listed) return
  for (const [file, count] of [...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`    ${String(count).padStart(4)} ${file}`)
}

/** Gives an agent a number that is texted to. */
async function importNumber(
  { access }: Platform,
  store: Store,
  { accountId, id: agentId }: Agent,
): Promise<void> {
  const of = { accountId, agentId, environment: 'live' } as const
  const { id: connectorId } = await access.createTelephonyConnector({ ...of, name: 'Line' })
  await store.access.phoneNumbers.add([{ ...of, number: OURS, connectorId, createdAt: 0 }], 1)
}

/** Measures the code that a visitor's turn, openings, texts and a merge run, by V8's own count. */
export async function benchRoad(listed = false): Promise<void> {
  console.log('\nRoads through packages/*/src, by coverage of V8')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await withFolder(async folder => {
    const store = createSqliteStore({ filename: join(folder, 'road.db') })
    let sent = (): void => undefined
    const textCarrier: TextCarrier = {
      send: async ({ id }) => {
        sent()
        return { carrierId: id }
      },
    }
    const platform = createPlatform({ store, runtime: echo, rateLimits: null, textCarrier })
    const { agent, token } = await furnish(platform)
    await importNumber(platform, store, agent)
    show('turn', await roadOfTurn(platform, session, token), listed)
    show('opening', await roadOfOpening(platform, session, token), listed)
    const [first, next] = await roadsOfTexts(platform, session, listener => {
      sent = listener
    })
    show('first text', first, listed)
    show('text', next, listed)
    show('merge', await roadOfMerge(platform, session, agent.id), listed)
    await platform.close()
  })
  session.disconnect()
}
