import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { COPY_PARTS, createPlatform, VERSION } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { HOTEL } from './kept-exports/hotel.ts'
import { importInto, temporaryFile, text } from './support.ts'

const FOLDER = join(import.meta.dirname, 'kept-exports')

/** Releases of which exports are kept. */
const RELEASES = readdirSync(FOLDER).flatMap(name => /^(.*)-hotel\.jsonl$/.exec(name)?.[1] ?? [])

const fileOf = (release: string, name: string): string => join(FOLDER, `${release}-${name}.jsonl`)

const LAST = z.object({
  kind: z.literal('end'),
  value: z.object({ counts: z.record(z.string(), z.number()) }),
})

/** The number of documents of each kind in an export, from its last line. */
const countsOf = (file: string): Readonly<Record<string, number>> =>
  LAST.parse(JSON.parse(text(file).trimEnd().split('\n').at(-1) ?? '')).value.counts

test('CL238 exports of this version are kept, and have documents of every kind', () => {
  expect(RELEASES).toContain(VERSION)
  const kept = countsOf(fileOf(VERSION, 'kinds'))
  expect(COPY_PARTS.filter(kind => kept[kind] === undefined)).toEqual([])
})

test.each(RELEASES)('CL238 documents of every kind are imported as %s wrote them', async release => {
  const [file, to] = [fileOf(release, 'kinds'), temporaryFile()]
  const outcome = await importInto(to, file)
  expect(outcome).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The file and the store hold the same\.$/m),
  })
  const store = createSqliteStore({ filename: to })
  onTestFinished(() => store.close())
  const read = await Promise.all([store.access.accounts.list({}, 100), store.access.apiKeys.list({}, 100)])
  const { account, api_key } = countsOf(file)
  expect(read.map(({ length }) => length)).toEqual([account, api_key])
})

/** The hotel of a release on a platform of today. */
async function open(release: string) {
  const filename = temporaryFile()
  expect(await importInto(filename, fileOf(release, 'hotel'))).toMatchObject({ code: 0 })
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    runtime: createRetrievalRuntime(),
  })
  onTestFinished(() => platform.close())
  const account = await platform.access.account(HOTEL.slug)
  if (account === null) throw new Error('The hotel is not there.')
  const [agent] = await platform.agents.list(account.id)
  if (agent === undefined) throw new Error('The hotel has no agent.')
  return { ...platform, account, agent }
}

test.each(RELEASES)('CL238 the agent of %s answers, and its keys are valid', async release => {
  const { access, account, agent, chat } = await open(release)
  expect(await access.authenticate(HOTEL.key, ['workspace'], null)).toMatchObject({ accountId: account.id })
  const connector = await access.connectorByToken(HOTEL.token)
  if (connector === null) throw new Error('The token is not valid.')
  expect(connector).toMatchObject({ agentId: agent.id, environment: 'live' })
  const { conversationId, ...begun } = await chat.create(connector, {})
  const reply = await chat.respond(connector, { conversationId, message: HOTEL.question })
  expect(JSON.stringify(begun)).toContain(HOTEL.greeting)
  expect(JSON.stringify(reply)).toContain(HOTEL.topic.content)
})

test.each(RELEASES)('CL238 the conversation that %s had is read', async release => {
  const { account, agent, reading } = await open(release)
  const scope = { accountId: account.id, agentId: agent.id, environment: 'live' } as const
  const found: string[] = []
  for await (const { records } of reading.newest(scope, 0, 10)) found.push(...records.map(({ id }) => id))
  expect(found).toHaveLength(1)
  const read: unknown[] = []
  for await (const turns of reading.turns(account.id, agent.id, found[0] ?? ''))
    read.push(...turns.map(({ record }) => JSON.parse(record.text)))
  expect(read).toMatchObject([
    { agent_response: HOTEL.greeting },
    { user_input: HOTEL.question, agent_response: HOTEL.topic.content },
  ])
})

test.each(RELEASES)('CL238 the branch that %s left open is merged', async release => {
  const { agent, agents } = await open(release)
  expect((await agents.realTimeConfig(agent.id, 'live')).variables).toEqual(HOTEL.variables)
  const left = (await agents.branches(agent.id)).find(({ name }) => name === HOTEL.branch)
  await agents.merge(agent.id, left?.id ?? '')
  const topics = await agents.topics(agent.id, 'main')
  expect(topics.map(({ name }) => name)).toEqual([HOTEL.topic.name, HOTEL.newTopic.name])
  const deployments = await agents.deployments(agent.id, 'live')
  expect(deployments.map(({ type }) => type)).toEqual(['promotion'])
})
