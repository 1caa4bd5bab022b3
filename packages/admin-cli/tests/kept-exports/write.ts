// `npm run keep-exports`: writes the exports that later releases must be able to import, with the packages as they are
// built. It runs once for each release, before its tag. Files that are there stay as they are.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type PlatformOptions, VERSION } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { buildWhatIsOld } from '../../../../scripts/build.ts'
import { HOTEL } from './hotel.ts'

type Store = PlatformOptions['store']

/** Documents of every kind. */
async function writeKinds(store: Store): Promise<void> {
  // Vitest has to be installed for this entry point, and does nothing here.
  const { fillStore } = await import('@colloquy/core/testing/contracts')
  await fillStore(store)
}

/** A hotel that works: an agent that is live, a branch with a change, keys, and a chat in progress. */
async function writeHotel(store: Store): Promise<void> {
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  const { access, agents, chat } = platform
  const { id: accountId } = await access.createAccount({ slug: HOTEL.slug, name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: HOTEL.agent, greeting: HOTEL.greeting })

  const first = await agents.createBranch(agentId, { branchName: 'breakfast' })
  await agents.createTopic(agentId, first.id, { ...HOTEL.topic, exampleQueries: [HOTEL.question] })
  await agents.testCases.create(agentId, first.id, {
    name: 'Breakfast',
    turns: [{ text: HOTEL.question, expectations: { contains: ['7 to 10'] } }],
  })
  const { deployment } = await agents.merge(agentId, first.id, { deploymentMessage: 'Breakfast' })
  const tried = await agents.promote(agentId, deployment.id)
  await agents.promote(agentId, tried.id)

  const open = await agents.createBranch(agentId, { branchName: HOTEL.branch })
  await agents.createTopic(agentId, open.id, HOTEL.newTopic)
  await agents.updateRealTimeConfigVariables(agentId, 'live', HOTEL.variables)

  await access.createApiKey({ kind: 'workspace', accountId, name: 'Kept', secret: HOTEL.key })
  const { connector } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['localhost'], token: HOTEL.token },
  })
  const { conversationId } = await chat.create(connector, {})
  await chat.respond(connector, { conversationId, message: HOTEL.question })
  await chat.close(connector, conversationId)
  await platform.close()
}

/** Writes the export of a new store. */
async function keep(name: string, write: (store: Store) => Promise<void>): Promise<void> {
  const file = join(import.meta.dirname, `${VERSION}-${name}.jsonl`)
  if (existsSync(file)) {
    console.log(`${file} is there. Remove it to write it again; never after its release.`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-kept-'))
  try {
    const from = join(folder, 'store.db')
    const store = createSqliteStore({ filename: from })
    await write(store)
    await store.close()
    const { runAdmin } = await import('@colloquy/admin-cli')
    const problems: string[] = []
    const terminal = {
      env: {},
      out: () => undefined,
      err: (line: string) => void problems.push(line),
      ask: null,
    }
    const code = await runAdmin(['export', file, '--from', from], terminal)
    if (code !== 0) throw new Error(`The export of ${name} failed:\n${problems.join('\n')}`)
    console.log(`Written: ${file}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await buildWhatIsOld()
await keep('kinds', writeKinds)
await keep('hotel', writeHotel)
