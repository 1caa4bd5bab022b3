import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AccountId, AgentId } from '../../src/domain/ids.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { aConversation, START } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const [ONE, TWO] = ['ws-one', 'ws-two']
const AGENT = 'PROJECT-A'
const pageSchema = z.object({ conversations: z.array(z.object({ id: z.string() })) })

/** Two accounts; the first one's agent has a finished conversation, and there are project keys for both and for the agent alone. */
async function serve() {
  const { platform, keys } = await createPopulatedPlatform()
  const dispatcher = createDispatcher(platform, routes)
  const converse = async (id: string, accountId: AccountId) => {
    const conversation = aConversation(id, { accountId, agentId: AGENT, index: { finishedAt: START + 1 } })
    await contextOf(platform).store.conversations.create(conversation)
  }
  const keyOf = async (accountId: AccountId, agentId?: AgentId) => {
    const scope = agentId === undefined ? { accountId } : { accountId, agentId }
    return (await platform.access.createApiKey({ kind: 'project', ...scope })).secret
  }
  await converse('C-1', ONE)
  async function read(path: string, key: string) {
    const answer = await dispatcher.handle(request(`GET ${path}`, { headers: { 'x-api-key': key } }))
    const json: unknown = JSON.parse(answer.body ?? 'null')
    return { status: answer.status, json }
  }
  /** Ids of the records that a list shows; the status when it shows none. */
  async function listed(account: string, key: string) {
    const { status, json } = await read(`/v1/${account}/${AGENT}/conversations`, key)
    return status === 200 ? pageSchema.parse(json).conversations.map(({ id }) => id) : status
  }
  const workspace = { 'x-api-key': keys.workspace }
  const remove = () => dispatcher.handle(request(`DELETE /v1/agents/${AGENT}`, { headers: workspace }))
  const [one, two, limited] = [await keyOf(ONE), await keyOf(TWO), await keyOf(ONE, AGENT)]
  return { platform, keys, converse, read, listed, remove, one, two, limited }
}

const RANGE = `start_time=${new Date(START).toISOString()}&end_time=${new Date(START + 60_000).toISOString()}`

test.each([
  [`/v1/one/${AGENT}/conversations`],
  [`/v1/ws-one/${AGENT}/conversations/concurrency?${RANGE}`],
  [`/v3/one/${AGENT}/conversations`],
  [`/v3/ws-one/${AGENT}/conversations/C-1`],
])('AG25 the records of a deleted agent stay readable: GET %s', async path => {
  const { read, remove, one, two, limited } = await serve()
  const before = await read(path, one)
  expect(before.status).toBe(200)
  expect(JSON.stringify(before.json)).toMatch(/C-1|"max_concurrent_conversations":1/)
  expect((await remove()).status).toBe(204)
  expect(await read(path, one)).toEqual(before)
  // A key that was for this agent alone went with it.
  expect((await read(path, limited)).status).toBe(401)
  expect((await read(path, two)).status).toBe(403)
  expect((await read(path.replace(AGENT, 'PROJECT-NEVER'), one)).status).toBe(404)
})

test.each(['workspace', 'project', 'external_events'] as const)(
  'AU13 a %s key for a deleted agent opens nothing of a later one of its id, in the same account',
  async kind => {
    const { platform } = await createPopulatedPlatform()
    const { access, agents, audit } = platform
    const issue = (agentId: string) => access.createApiKey({ kind, accountId: ONE, agentId })
    const [limited, other] = [await issue(AGENT), await issue('PROJECT-B')]
    await agents.delete(AGENT)
    await agents.create({ accountId: ONE, name: 'n', greeting: 'g', agentId: AGENT })
    expect(await access.authenticate(limited.secret, [kind], null)).toBeNull()
    expect(await access.authenticate(other.secret, [kind], null)).not.toBeNull()
    const { entries } = await audit.list({ resourceId: limited.key.id })
    expect(entries.map(({ action }) => action)).toEqual(['api_key.revoked', 'api_key.created'])
    const again = access.createApiKey({ kind, accountId: ONE, agentId: AGENT, secret: limited.secret })
    await expect(again).rejects.toMatchObject({ code: 'API_KEY_ALREADY_EXISTS' })
  },
)

test('AG25 an agent of the account that takes the id goes on under its records', async () => {
  const { platform, converse, listed, remove, one } = await serve()
  await remove()
  await platform.agents.create({ accountId: ONE, name: 'n', greeting: 'g', agentId: AGENT })
  await converse('C-2', ONE)
  expect(await listed('one', one)).toEqual(['C-1', 'C-2'])
})

test('AG25 no other account comes to the records of a deleted agent by taking its id', async () => {
  const { platform, listed, remove, one, two } = await serve()
  expect(await listed('two', two)).toBe(404)
  await remove()
  expect(await listed('two', two)).toBe(404)
  const taking = platform.agents.create({ accountId: TWO, name: 'n', greeting: 'g', agentId: AGENT })
  await expect(taking).rejects.toMatchObject({ code: 'PROJECT_ID_ALREADY_EXISTS' })
  expect(await listed('one', one)).toEqual(['C-1'])
  expect([await listed('two', two), await listed('two', one), await listed('one', two)]).toEqual([
    404, 403, 403,
  ])
})

test('AG25 a key for a later agent of the id reads the records of the earlier one of the account', async () => {
  const { platform, listed, remove } = await serve()
  await remove()
  await platform.agents.create({ accountId: ONE, name: 'n', greeting: 'g', agentId: AGENT })
  const later = await platform.access.createApiKey({ kind: 'project', accountId: ONE, agentId: AGENT })
  expect(await listed('one', later.secret)).toEqual(['C-1'])
})

test('AG25 the other families do not know a deleted agent', async () => {
  const { read, remove, keys } = await serve()
  await remove()
  expect((await read(`/v1/agents/${AGENT}`, keys.workspace)).status).toBe(404)
  expect((await read(`/v1/agents/${AGENT}/branches`, keys.workspace)).status).toBe(404)
})
