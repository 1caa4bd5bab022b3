import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { heldRoles, type Person, ROLES, type Role } from '../../src/domain/access/person.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { createPeopleDispatcher, type PeopleOptions } from '../../src/http/people-dispatcher.ts'
import { OPERATION_ROLES, roleOf } from '../../src/http/people-roles.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import { silentLog } from '../../src/ports/log.ts'
import { aRecording } from '../../src/testing/fixtures.ts'
import { aConversation, aTurn, START } from '../../src/testing/index.ts'
import { type RequestLike, request } from '../support/request.ts'

const ada = (roles: readonly Role[], accounts?: readonly string[]): Person => ({
  id: 'u-ada',
  name: 'Ada',
  roles,
  ...(accounts === undefined ? {} : { accounts }),
})

/** The console's API over two accounts; who is signed in can change. */
async function serve(options: Partial<PeopleOptions> = {}, settings: Partial<PlatformOptions> = {}) {
  const made = await createPopulatedPlatform(settings)
  let signedIn: Person | null = ada(['operator'])
  const people = createPeopleDispatcher(made.platform, {
    authorize: () => signedIn,
    version: '1.2.3',
    ...options,
  })
  const raw = async (line: string, like: RequestLike = {}) => {
    const response = await people.handle(request(line, like))
    return { status: response.status, headers: response.headers, json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, { headers, ...like }: RequestLike = {}) =>
    raw(line, { ...like, headers: { 'x-console': '1', host: 'app.example', ...headers } })
  const as = (person: Person | null) => {
    signedIn = person
    return call
  }
  return { ...made, people, call, raw, as }
}

/** A request for a route, about the first account. */
const lineOf = ({ method, path }: Route): string => {
  const filled = path
    .replace(/:(?:account|accountId|account_id)\b/, 'one')
    .replace(/:(?:agentId|project_id)\b/, 'PROJECT-A')
    .replace(/:entryId\b/, '17')
    .replace(/:\w+/g, 'some')
  return `${method} ${filled}?clientEnv=live&client_env=live&environment=live&start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z`
}

const forPeople = routes.filter(({ operation }) => roleOf(operation) !== null)
const OF_ONE = { headers: { 'x-account': 'one' } }

describe('who gets in', () => {
  test('PE1 the platform has no route for people, and nobody gets in there without a key', async () => {
    const { platform } = await serve()
    const keyed = createDispatcher(platform, routes)
    const withoutKey = routes.filter(({ credential }) => credential !== 'own')
    for (const route of withoutKey) {
      const like = { headers: { 'x-console': '1', 'x-account': 'one', cookie: 'session=ada' } }
      expect((await keyed.handle(request(lineOf(route), like))).status, lineOf(route)).toBe(401)
    }
    for (const path of ['/console/v1/me', '/desk/v1/events'])
      expect((await keyed.handle(request(`GET ${path}`))).status).toBe(404)
  })

  test('PE1 keys open nothing for people', async () => {
    const { as, keys } = await serve()
    const call = as(null)
    for (const route of forPeople)
      for (const key of [keys.workspace, keys.operator]) {
        const headers = { 'x-account': 'one', 'x-api-key': key, authorization: `Bearer ${key}` }
        expect((await call(lineOf(route), { headers })).status, lineOf(route)).toBe(401)
      }
  })

  test('PE1 what visitors and programs of the host do is not served', async () => {
    const { call, people } = await serve()
    const others = routes.filter(route => !forPeople.includes(route))
    expect(new Set(others.map(({ family }) => family))).toEqual(
      new Set(['messaging', 'external-events', 'chat', 'texts', 'calls', 'number-reservation']),
    )
    for (const route of others) {
      expect((await call(lineOf(route), OF_ONE)).status, lineOf(route)).toBe(404)
      expect(people.matches(route.path)).toBe(false)
    }
  })

  test.each([
    ['GET /v1/agents/PROJECT-A', { error_code: 'AUTH_USER_UNAUTHORISED', success: false }],
    ['GET /v1/one/PROJECT-A/conversations/concurrency', { error_message: expect.any(String) }],
  ])(
    'PE2 without a person %s is 401 that says where to sign in, in the body of the family',
    async (line, body) => {
      const { as } = await serve({ signInUrl: '/login' })
      const { status, json } = await as(null)(line)
      expect(status).toBe(401)
      expect(json).toMatchObject({ ...body, sign_in_url: '/login' })
    },
  )

  test('PE2 where the host names no page to sign in none is told', async () => {
    const { as } = await serve()
    expect((await as(null)('GET /console/v1/me')).json).not.toHaveProperty('sign_in_url')
  })

  test('PE2 a login that throws is 500, and the host is told', async () => {
    const { call, errors } = await serve({ authorize: () => Promise.reject(new Error('no session store')) })
    const { status, json } = await call('GET /console/v1/me')
    expect({ status, code: json.error_code }).toEqual({ status: 500, code: 'INTERNAL' })
    expect(errors).toHaveLength(1)
  })

  test.each<readonly [string, unknown, string]>([
    [
      'a misspelt role',
      { id: 'u', name: 'U', roles: ['reader', 'opertor'] },
      'The person\'s field "roles.1" is not valid: expected one of "reader"|"author"|"releaser"|"desk"|"operator". There is no role "opertor". Did you mean operator?',
    ],
    [
      'a role like none',
      { id: 'u', name: 'U', roles: ['boss'] },
      'The person\'s field "roles.0" is not valid: expected one of "reader"|"author"|"releaser"|"desk"|"operator".',
    ],
    [
      'no id',
      { id: '', name: 'U', roles: [] },
      'The person\'s field "id" is not valid: Too small: expected string to have >=1 characters.',
    ],
    [
      'a name of a soft hyphen',
      { id: 'u', name: '\u00ad', roles: [] },
      'The person\'s field "name" is not valid: it must hold a character that can be seen, and no control characters, invisible ones, or marks that turn the direction of text.',
    ],
    ['a name alone', 'Ada', 'The person is not valid: expected object, received string.'],
  ])(
    'PE2 %s is the host’s to mend: words in its log, and a page that says whom to ask',
    async (_, given, words) => {
      const lines: string[] = []
      const log = { ...silentLog, error: (line: string) => void lines.push(line) }
      const authorize = () => given as Person
      const { call, errors } = await serve({ authorize }, { log })
      const { status, json } = await call('GET /console/v1/me')
      expect([status, json.error_code]).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
      expect(JSON.stringify(json)).toContain('Ask its operator.')
      expect(lines).toEqual([`authorize must return a person {id, name, roles, accounts?} or null. ${words}`])
      expect(errors).toEqual([])
    },
  )

  test('PE2 the login is handed the request as it is described', async () => {
    const seen: (string | undefined)[] = []
    const { call } = await serve({
      authorize: ({ headers: { cookie } }) => {
        seen.push(cookie)
        return null
      },
    })
    await call('GET /console/v1/me', { headers: { cookie: 'session=1' } })
    expect(seen).toEqual(['session=1'])
  })
})

describe('roles', () => {
  test('PE3 the table names every operation, and those for people alone', () => {
    const named = Object.keys(OPERATION_ROLES)
    expect(new Set(named)).toEqual(
      new Set([
        ...routes.map(({ operation }) => operation),
        ...['readMe', 'watchHandoffs', 'eraseConversation', 'previewMerge', 'previewPublish'],
        ...[
          'readHealth',
          'readUnanswered',
          'readRetention',
          'purgeConversations',
          'listNewest',
          'readTranscript',
        ],
        ...['writeConversationNote', 'readVisitor', 'exportVisitor', 'removeVisitor'],
        ...['listViews', 'saveView', 'deleteView'],
        ...['readHandoffFile', 'readConversationFile'],
      ]),
    )
    expect(roleOf('somethingElse')).toBe(null)
    expect(roleOf('toString')).toBe(null)
  })

  test('PE3 readers change nothing', () => {
    // What is found by ids and numbers, which do not fit into an address.
    const reads = new Set(['findTelephonyConnector', 'findTelephonyConnectors', 'findPhoneNumbers'])
    for (const { method, operation } of routes)
      if (method !== 'GET' && !reads.has(operation)) expect(roleOf(operation), operation).not.toBe('reader')
  })

  test('PE3 without its role every operation is 403, and with it it is not', async () => {
    const { as } = await serve()
    for (const role of ROLES) {
      const call = as(ada([role]))
      for (const route of forPeople) {
        const needed = roleOf(route.operation)
        const allowed = ROLES.some(one => one === needed && heldRoles([role]).includes(one))
        const { status, json } = await call(lineOf(route), OF_ONE)
        expect(status === 403, `${role} ${lineOf(route)} ${JSON.stringify(json)}`).toBe(!allowed)
      }
    }
  })

  test('PE3 who has no role is told who they are, and nothing else', async () => {
    const { as } = await serve()
    const call = as(ada([]))
    expect((await call('GET /console/v1/me')).status).toBe(200)
    for (const route of forPeople) expect((await call(lineOf(route), OF_ONE)).status, lineOf(route)).toBe(403)
  })
})

describe('pages of others', () => {
  test.each([
    ['no x-console', { host: 'app.example' }],
    ['another x-console', { host: 'app.example', 'x-console': 'true' }],
    ['a cross-site page', { host: 'app.example', 'x-console': '1', 'sec-fetch-site': 'cross-site' }],
    ['a same-site page', { host: 'app.example', 'x-console': '1', 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { host: 'app.example', 'x-console': '1', 'sec-fetch-site': 'none' }],
    ['another host', { host: 'app.example', 'x-console': '1', origin: 'https://evil.example' }],
    ['a host below it', { host: 'app.example', 'x-console': '1', origin: 'https://a.app.example' }],
    ['another port', { host: 'app.example', 'x-console': '1', origin: 'https://app.example:8443' }],
    ['no origin', { host: 'app.example', 'x-console': '1', origin: 'null' }],
    ['no host', { 'x-console': '1', origin: 'https://app.example' }],
  ])('PE4 every operation is 403 for %s, and nobody is looked up', async (_, headers) => {
    let asked = 0
    const { raw } = await serve({
      authorize: () => {
        asked++
        return ada(['operator'])
      },
    })
    for (const route of forPeople) {
      const { status } = await raw(lineOf(route), { headers: { 'x-account': 'one', ...headers } })
      expect(status, lineOf(route)).toBe(403)
    }
    expect(asked).toBe(0)
  })

  test.each([
    { host: 'app.example', 'x-console': '1' },
    { host: 'app.example', 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: 'https://app.example' },
    { host: 'APP.example:443', 'x-console': '1', origin: 'https://app.example' },
    { host: 'localhost:3000', 'x-console': '1', origin: 'http://localhost:3000' },
    { host: 'localhost:80', 'x-console': '1', origin: 'http://localhost' },
  ])('PE4 the page of the host itself gets in: %j', async headers => {
    const { raw } = await serve()
    expect((await raw('GET /console/v1/me', { headers })).status).toBe(200)
  })

  test('PE4 no answer lets a page of another origin read it, and no preflight lets it ask', async () => {
    const { raw } = await serve()
    const headers = {
      host: 'app.example',
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-console',
    }
    for (const line of [
      'OPTIONS /v1/agents/PROJECT-A',
      'GET /v1/agents/PROJECT-A',
      'OPTIONS /console/v1/me',
    ]) {
      const answer = await raw(line, { headers })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      const named = Object.keys(answer.headers).filter(name => /^access-control/i.test(name))
      expect(named).toEqual([])
    }
  })
})

describe('accounts', () => {
  test('PE5 every operation on another account is 403', async () => {
    const { as } = await serve()
    const call = as(ada(['operator'], ['ws-two']))
    for (const route of forPeople) expect((await call(lineOf(route), OF_ONE)).status, lineOf(route)).toBe(403)
    expect((await call('GET /v1/agents/PROJECT-Z')).status).toBe(200)
    expect((await call('GET /v1/webhook-endpoints', { headers: { 'x-account': 'two' } })).status).toBe(200)
  })

  test('PE5 nobody reaches another account by an account of their own in the path', async () => {
    const { as } = await serve()
    const call = as(ada(['reader'], ['ws-two']))
    expect((await call('GET /v1/two/PROJECT-A/conversations')).status).toBe(404)
    expect((await call('GET /v3/two/PROJECT-A/conversations')).status).toBe(404)
  })

  test.each([
    [{}, 400, 'SCHEMA_VALIDATION_FAILED'],
    [{ 'x-account': '' }, 400, 'SCHEMA_VALIDATION_FAILED'],
    [{ 'x-account': 'three' }, 400, 'SCHEMA_VALIDATION_FAILED'],
    [{ 'x-account': 'one' }, 200, undefined],
    [{ 'x-account': 'ws-one' }, 200, undefined],
  ])('PE5 with %j the desk, webhooks and alerts answer %s', async (headers, status, code) => {
    const { call } = await serve()
    for (const line of ['GET /desk/v1/handoffs', 'GET /v1/webhook-endpoints', 'GET /v1/alert-rules']) {
      const answer = await call(line, { headers })
      expect({ status: answer.status, code: answer.json.error_code }).toEqual({ status, code })
    }
  })

  test('PE5 webhooks are those of the account that is named', async () => {
    const { call } = await serve()
    const body = { name: 'Orders', url: 'https://hooks.example', event_types: ['handoff.failed'] }
    const made = await call('POST /v1/webhook-endpoints', { body, headers: { 'x-account': 'two' } })
    expect(made.status).toBe(201)
    const of = async (account: string) =>
      (await call('GET /v1/webhook-endpoints', { headers: { 'x-account': account } })).json.data.length
    expect([await of('one'), await of('two')]).toEqual([0, 1])
  })
})

test('AU3 the audit log names the person', async () => {
  const { call } = await serve()
  const headers = { 'x-correlation-id': 'of-this-request' }
  const body = { slug: 'three', name: 'Three' }
  expect((await call('POST /operator/v1/accounts', { body, headers })).status).toBe(201)
  const { json } = await call('GET /operator/v1/audit-log?action=account.created&limit=1')
  expect(json.entries).toMatchObject([
    { actor: { type: 'person', id: 'u-ada', name: 'Ada' }, correlationId: 'of-this-request' },
  ])
})

test('AU3 each person has a rate of their own', async () => {
  const { as } = await serve({}, { rateLimits: { key: { perSecond: 0.01, burst: 2 } } })
  const call = as(ada(['reader']))
  const statuses = []
  for (let index = 0; index < 3; index++) statuses.push((await call('GET /console/v1/me')).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await as({ ...ada(['reader']), id: 'u-grace' })('GET /console/v1/me')).status).toBe(200)
})

describe('me', () => {
  test('PE5 says who is signed in, all their roles, and every account', async () => {
    const { as } = await serve({ signOutUrl: '/logout', widgetUrl: '/widget.js' })
    const { status, json } = await as(ada(['releaser']))('GET /console/v1/me')
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        person: { id: 'u-ada', name: 'Ada', roles: ['reader', 'author', 'releaser'] },
        accounts: [
          { id: 'ws-one', slug: 'one', name: 'One' },
          { id: 'ws-two', slug: 'two', name: 'Two' },
        ],
        sign_out_url: '/logout',
        finds_meaning: false,
        most_exported: 100_000,
        files: null,
        widget: { url: '/widget.js', brand: 'AI' },
        version: '1.2.3',
      },
    })
  })

  test('PE5 names the accounts that the person may use alone, and no page to sign out where there is none', async () => {
    const { as } = await serve()
    const { json } = await as(ada(['operator'], ['ws-two', 'ws-gone']))('GET /console/v1/me')
    expect(json).toMatchObject({
      accounts: [{ id: 'ws-two' }],
      person: { roles: [...ROLES] },
      sign_out_url: null,
      widget: { url: null, brand: 'AI' },
    })
  })
})

test('PE11 an operator removes a finished conversation of the account that is named, and nobody else does', async () => {
  const { platform, as } = await serve()
  const { store } = contextOf(platform)
  const index = { accountId: 'ws-one', finishedAt: START + 1 }
  await store.conversations.create(aConversation('C-over', { agentId: 'PROJECT-A', index }))
  await store.conversations.create(
    aConversation('C-going', { agentId: 'PROJECT-A', index: { ...index, finishedAt: null } }),
  )
  const line = (id: string): string => `DELETE /console/v1/agents/PROJECT-A/conversations/${id}`
  const operator = as(ada(['operator']))
  const other = await operator(line('C-over'), { headers: { 'x-account': 'two' } })
  const going = await operator(line('C-going'), OF_ONE)
  expect([other.json.error_code, going.json.error_code]).toEqual([
    'CONVERSATIONS_NOT_FOUND',
    'CONVERSATION_IN_PROGRESS',
  ])
  expect((await as(ada(['releaser', 'desk']))(line('C-over'), OF_ONE)).status).toBe(403)
  expect((await as(ada(['operator']))(line('C-over'), OF_ONE)).status).toBe(204)
  expect((await operator(line('C-over'), OF_ONE)).status).toBe(404)
  const { json } = await operator('GET /operator/v1/audit-log?action=conversation.removed')
  expect(json.entries).toMatchObject([{ actor: { id: 'u-ada' }, resource: { id: 'C-over' } }])
})

test('PE12 who may read sees what main would become by a merge', async () => {
  const { platform, as } = await serve()
  const call = as(ada(['reader']))
  const branch = await platform.agents.createBranch('PROJECT-A', { branchName: 'Brief' })
  await platform.agents.updateBehavior('PROJECT-A', branch.id, 'Be brief.')
  const topic = { name: 'Pool', content: 'Open.', exampleQueries: ['Is there a pool?'] }
  await platform.agents.createTopic('PROJECT-A', branch.id, topic)
  const line = `POST /console/v1/agents/PROJECT-A/branches/${branch.id}/merge-preview`
  const { status, json } = await call(line, { body: {} })
  expect(status).toBe(200)
  expect(json).toMatchObject({ conflicts: [] })
  expect(json.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: ['behavior'], oursValue: 'Be kind.', theirsValue: 'Be brief.' }),
      expect.objectContaining({ theirsValue: { queries: ['Is there a pool?'] } }),
    ]),
  )
  const stray = { conflictResolutions: [{ path: ['behavior'], strategy: 'ours' }] }
  expect((await call(line, { body: stray })).json.error_code).toBe('MERGE_INVALID_RESOLUTION')
  expect((await as(ada(['desk']))(line, { body: {} })).status).toBe(403)
  expect((await as(ada(['operator'], ['ws-two']))(line, { body: {} })).status).toBe(403)
})

test('PE12 who may read sees what a publication would change in its environment', async () => {
  const { platform, as } = await serve()
  const line = 'GET /console/v1/agents/PROJECT-NEW/publish-preview?environment=sandbox'
  const call = as(ada(['reader']))
  await platform.agents.create({
    accountId: 'ws-one',
    agentId: 'PROJECT-NEW',
    name: 'New',
    greeting: 'Hello',
  })
  const branch = await platform.agents.createBranch('PROJECT-NEW', { branchName: 'Brief' })
  const topic = { name: 'Pool', content: 'Open.', exampleQueries: ['Is there a pool?'] }
  await platform.agents.createTopic('PROJECT-NEW', branch.id, topic)
  const first = await platform.agents.publish('PROJECT-NEW', { environment: 'pre-release' })
  const { deployment } = await platform.agents.merge('PROJECT-NEW', branch.id)
  const shown = { mainRevision: String(deployment.revision), activeDeploymentId: deployment.id, changes: [] }
  expect(await call(line)).toMatchObject({ status: 200, json: shown })
  const { json } = await call(line.replace('sandbox', 'pre-release'))
  expect(json).toMatchObject({ mainRevision: shown.mainRevision, activeDeploymentId: first.id })
  expect(json.changes).toContainEqual(
    expect.objectContaining({ theirsValue: { queries: ['Is there a pool?'] } }),
  )
  expect((await call(line.replace('sandbox', 'live'))).json).toMatchObject({
    activeDeploymentId: null,
    changes: null,
  })
  expect((await call(line.replace('sandbox', 'space'))).status).toBe(400)
  expect((await as(ada(['desk']))(line)).status).toBe(403)
  expect((await as(ada(['operator'], ['ws-two']))(line)).status).toBe(403)
})

test('PE12 who may read is told how the agent did, functions that failed included', async () => {
  const { platform, as } = await serve()
  const start = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', channel: 'phone' } as const
  await platform.conversations.start({ ...start, conversationId: 'C-1' })
  await platform.conversations.recordTurn({
    ...{ agentId: 'PROJECT-A', conversationId: 'C-1', turnId: 'T-1', userInput: 'A room?' },
    ...{ userInputAt: START, agentResponse: 'One moment.', agentResponseAt: START + 250 },
    functionEvents: [{ name: 'book', arguments: {}, result: null, error: 'full', duration_ms: 3 }],
  })
  const line = (account: string): string =>
    `GET /console/v1/${account}/PROJECT-A/health?client_env=live&start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z`
  const { status, json } = await as(ada(['reader']))(line('one'))
  expect({ status, json }).toMatchObject({
    status: 200,
    json: {
      ...{ conversations: 1, turns: 1, handoffs: 0, unknown: 0 },
      latency: { median: 250, p95: 250, longest: 250 },
      functions: [{ name: 'book', calls: 1, errors: 1 }],
    },
  })
  expect((await as(ada(['desk']))(line('one'))).status).toBe(403)
  expect((await as(ada(['reader'], ['ws-two']))(line('one'))).status).toBe(403)
  expect((await as(ada(['reader']))(line('two'))).status).toBe(404)
})

test('CO24 who may read is told which questions the agent did not answer', async () => {
  const { platform, as } = await serve()
  const start = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', channel: 'CHAT' } as const
  await platform.conversations.start({ ...start, conversationId: 'C-1', startedAt: START })
  await platform.conversations.recordTurn({
    ...{ agentId: 'PROJECT-A', conversationId: 'C-1', turnId: 'T-1', userInput: 'Is there a gym?' },
    ...{ userInputAt: START, agentResponse: 'Sorry?', agentResponseAt: START, outOfDomain: true },
  })
  const line = (account: string, more = ''): string =>
    `GET /console/v1/${account}/PROJECT-A/unanswered?client_env=live${more}`
  const { status, json } = await as(ada(['reader']))(line('one', '&limit=10'))
  expect({ status, json }).toMatchObject({
    status: 200,
    json: {
      ...{ conversations: 1, questions: 1, more: false, byMeaning: false },
      groups: [
        {
          count: 1,
          examples: [
            { text: 'Is there a gym?', conversationId: 'C-1', startedAt: new Date(START).toISOString() },
          ],
        },
      ],
    },
  })
  expect((await as(ada(['reader']))(line('one', '&limit=2001'))).status).toBe(400)
  expect((await as(ada(['desk']))(line('one'))).status).toBe(403)
  expect((await as(ada(['reader'], ['ws-two']))(line('one'))).status).toBe(403)
  expect((await as(ada(['reader']))(line('two'))).status).toBe(404)
})

test('PE11 an operator reads how long what is kept is kept, by the names of the options', async () => {
  const { as } = await serve(
    {},
    { webhooks: { retention: 1_000 }, testRuns: { kept: 7 }, turnRecordingRetention: 9 },
  )
  const { status, json } = await as(ada(['operator']))('GET /console/v1/retention', OF_ONE)
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { options: { 'webhooks.retention': 1_000, 'testRuns.kept': 7, turnRecordingRetention: 9 } },
  })
  expect((await as(ada(['author']))('GET /console/v1/retention', OF_ONE)).status).toBe(403)
})

test('PE11 an operator removes the finished conversations of an account that are older than some days', async () => {
  const { platform, clock, as } = await serve()
  const { store } = contextOf(platform)
  const day = 86_400_000
  clock.advance(30 * day)
  const add = (id: string, agentId: string, accountId: string, finishedAt: number) =>
    store.conversations.create(
      aConversation(id, { agentId, index: { accountId, startedAt: finishedAt - 1, finishedAt } }),
    )
  await add('C-old', 'PROJECT-A', 'ws-one', clock.now() - 8 * day)
  await add('C-old-b', 'PROJECT-B', 'ws-one', clock.now() - 8 * day)
  await add('C-new', 'PROJECT-A', 'ws-one', clock.now() - 6 * day)
  await add('C-other', 'PROJECT-Z', 'ws-two', clock.now() - 8 * day)
  const purge = (body: object, like: object = OF_ONE) =>
    as(ada(['operator']))('POST /console/v1/conversations/purge', { body, ...like })
  expect((await purge({ days: 0 })).status).toBe(400)
  expect((await purge({})).status).toBe(400)
  expect((await purge({ days: 7 }, {})).status).toBe(400)
  expect((await purge({ days: 7, agent_id: 'PROJECT-B' })).json).toEqual({ conversations: 1 })
  expect((await purge({ days: 7 })).json).toEqual({ conversations: 1 })
  const left = await Promise.all(
    (['C-old', 'C-old-b', 'C-new', 'C-other'] as const).map(id => store.conversations.load(id)),
  )
  expect(left.map(one => one !== null)).toEqual([false, false, true, true])
  const { json } = await as(ada(['operator']))('GET /operator/v1/audit-log?action=conversations.purge_ended')
  expect(json.entries).toHaveLength(2)
  expect((await as(ada(['releaser', 'desk']))('POST /console/v1/conversations/purge', OF_ONE)).status).toBe(
    403,
  )
})

test('PE12 readers save, list and delete views of the account that is named', async () => {
  const { as } = await serve()
  const call = as(ada(['reader']))
  const line = 'PUT /console/v1/views/Bad%20ratings'
  const filters = { show: 'rated' }
  expect(await call(line, { ...OF_ONE, body: { filters } })).toMatchObject({
    ...{ status: 200, json: { name: 'Bad ratings', filters } },
  })
  expect((await call(line, { ...OF_ONE, body: {} })).status).toBe(400)
  expect((await call('GET /console/v1/views', OF_ONE)).json).toEqual({
    views: [{ name: 'Bad ratings', filters }],
  })
  expect((await call('GET /console/v1/views', { headers: { 'x-account': 'two' } })).json).toEqual({
    views: [],
  })
  const others = as(ada(['reader'], ['ws-two']))
  expect((await others('GET /console/v1/views', OF_ONE)).status).toBe(403)
  expect((await as(ada(['desk']))(line, { ...OF_ONE, body: { filters } })).status).toBe(403)
  expect((await as(ada(['reader']))(line.replace('PUT', 'DELETE'), OF_ONE)).status).toBe(204)
  expect((await call(line.replace('PUT', 'DELETE'), OF_ONE)).status).toBe(404)
})

test('PE11 an operator counts, exports and removes what is kept of one visitor of the account that is named', async () => {
  const { platform, as, people } = await serve()
  const { store } = contextOf(platform)
  const state = { accountId: 'ws-one', visitor: { id: 'vera-7' } }
  for (const [id, finishedAt] of [
    ['C-over', START + 1],
    ['C-going', null],
  ] as const) {
    const index = { accountId: 'ws-one', finishedAt }
    await store.conversations.create(aConversation(id, { agentId: 'PROJECT-A', index, state }))
  }
  const vera = { visitor_id: 'vera-7' }
  const ask = (path: string, body: object = vera, like: object = OF_ONE) =>
    as(ada(['operator']))(`POST /console/v1/visitor${path}`, { body, ...like })
  const first = new Date(START).toISOString()
  expect((await ask('')).json).toEqual({
    ...{ conversations: 2, in_progress: 1, text_numbers: 0, first_at: first, last_at: first },
  })
  const headers = { 'x-console': '1', host: 'app.example', 'x-account': 'one' }
  const response = await people.handle(
    request('POST /console/v1/visitor/export', { body: { visitor_id: 'vera-7' }, headers }),
  )
  expect(response.headers['Content-Type']).toBe('application/jsonl; charset=utf-8')
  let text = ''
  for await (const chunk of response.chunks ?? []) text += chunk
  const lines = text.trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line).type)).toEqual([
    ...['visitor', 'conversation', 'conversation', 'end'],
  ])
  expect((await ask('/remove', vera, { headers: { 'x-account': 'two' } })).json).toEqual({
    ...{ conversations: 0, in_progress: 0 },
  })
  expect((await ask('/remove')).json).toEqual({ conversations: 1, in_progress: 1 })
  for (const path of ['', '/export', '/remove']) {
    for (const body of [{}, { ...vera, phone_number: '+1' }, { visitor_id: '' }])
      expect((await ask(path, body)).status, path).toBe(400)
    expect((await ask(path, vera, {})).status).toBe(400)
    const line = `POST /console/v1/visitor${path}`
    expect((await as(ada(['releaser', 'desk']))(line, { ...OF_ONE, body: vera })).status).toBe(403)
    expect((await as(ada(['operator'], ['ws-two']))(line, { ...OF_ONE, body: vera })).status).toBe(403)
  }
  const { json } = await as(ada(['operator']))('GET /operator/v1/audit-log?action=visitor.exported')
  expect(json.entries).toMatchObject([{ actor: { id: 'u-ada' }, details: { by: 'visitor_id' } }])
})

test('AG121 a change of what somebody else has changed is 409 that names the fields, over HTTP', async () => {
  const { platform, as } = await serve()
  const call = as(ada(['author']))
  const { id } = await platform.agents.createBranch('PROJECT-A', { branchName: 'Brief' })
  const branch = `/v1/agents/PROJECT-A/branches/${id}`
  const { id: topicId } = await platform.agents.createTopic('PROJECT-A', id, {
    name: 'Pool',
    content: 'Open.',
  })
  const change = (body: object) => call(`PATCH ${branch}/knowledge-base/topics/${topicId}`, { body })
  expect((await change({ content: 'Shut.', expected: { content: 'Open.' } })).status).toBe(204)
  const { status, json } = await change({ content: 'Warm.', expected: { content: 'Open.', name: 'Pool' } })
  expect({ status, json }).toMatchObject({
    status: 409,
    json: { error_code: 'CONTENT_CHANGED', changed: ['content'] },
  })
  const behavior = { behavior: 'Be brief.', expected: { behavior: 'Be long.' } }
  expect((await call(`PATCH ${branch}/behavior`, { body: behavior })).status).toBe(409)
  const settings = { greeting: 'Hi', expected: { greeting: 'Hello', avatarUrl: null } }
  expect((await call(`PATCH ${branch}/response-settings`, { body: settings })).status).toBe(200)
})

test('PE12 and RC71 who may read lists the newest conversations in a few words, page by page', async () => {
  const { platform, as } = await serve()
  const { store } = contextOf(platform)
  const add = (id: string, at: number, finishedAt: number | null, said: string) =>
    store.conversations.create(
      aConversation(id, {
        ...{ agentId: 'PROJECT-A', startedAt: START + at, turns: [aTurn(''), aTurn(said)] },
        index: { accountId: 'ws-one', finishedAt },
      }),
    )
  for (let at = 0; at < 5; at++) await add(`C-${at}`, at, at % 2 === 0 ? null : START + 9, `Question ${at}`)
  await add('C-long', 9, null, 'x'.repeat(300))
  const call = as(ada(['reader']))
  const line = (query: string): string => `GET /console/v1/one/PROJECT-A/conversations?${query}`
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, json } = await call(line(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`))
    expect(status).toBe(200)
    seen.push(...json.conversations.map((one: { first_words: string }) => one.first_words))
    // What begins meanwhile moves no page.
    if (cursor === '') await add('C-new', 10, null, 'Later')
    cursor = json.cursor
  }
  const words = [4, 3, 2, 1, 0].map(at => `Question ${at}`)
  expect(seen).toEqual(['x'.repeat(200), ...words])
  const { json } = await call(line(`in_progress=false&end_time=${new Date(START + 3).toISOString()}`))
  expect(json).toMatchObject({
    conversations: [{ id: 'C-1', num_turns: 0, language: '', deployment_id: '' }],
    cursor: null,
  })
  expect(json.conversations[0]).not.toHaveProperty('turns')
  expect((await call(line('channel=webchat'))).json.conversations).toHaveLength(7)
  expect((await call(line('channel=phone'))).json.conversations).toEqual([])
  for (const wrong of ['limit=0', 'limit=201', 'cursor=nonsense', 'in_progress=maybe'])
    expect((await call(line(wrong))).status, wrong).toBe(400)
  expect((await as(ada(['desk']))(line(''))).status).toBe(403)
  expect((await as(ada(['reader'], ['ws-two']))(line(''))).status).toBe(403)
})

test('PE12 and RC71 who may read follows what was said in a conversation, and what the agent did at each turn', async () => {
  const { platform, as } = await serve()
  const start = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', channel: 'phone' } as const
  await platform.conversations.start({ ...start, conversationId: 'C-1' })
  const say = (turnId: string, at: number) =>
    platform.conversations.recordTurn({
      ...{ agentId: 'PROJECT-A', conversationId: 'C-1', turnId, userInput: 'A room?' },
      ...{ userInputAt: START + at, agentResponse: 'One moment.', agentResponseAt: START + at + 250 },
      ...{ retrievedTopics: ['Rooms', 'Prices'], citedTopic: 'Rooms', variables: { nights: 2 } },
      functionEvents: [
        { name: 'book', arguments: { nights: 2 }, result: null, error: 'full', duration_ms: 3 },
      ],
    })
  await say('T-1', 0)
  const call = as(ada(['reader']))
  const line = (query = '', id = 'C-1'): string =>
    `GET /console/v1/one/PROJECT-A/conversations/${id}/transcript${query}`
  const { status, json } = await call(line())
  expect({ status, json }).toMatchObject({
    status: 200,
    json: {
      conversation: { id: 'C-1', in_progress: true, state: { nights: 2 }, finished_at: null },
      turns: [
        {
          ...{ user_input: 'A room?', agent_response: 'One moment.', latency: 0.25, turn_id: 'T-1' },
          ...{ retrieved_topics: ['Rooms', 'Prices'], cited_topic: 'Rooms' },
          function_events: [{ name: 'book', arguments: { nights: 2 }, error: 'full', duration_ms: 3 }],
        },
      ],
      lines: [
        { what: 'said', from: 'visitor', text: 'A room?' },
        { what: 'said', from: 'ai_agent', text: 'One moment.' },
      ],
      more: false,
    },
  })
  const after = ({ turns, sequence }: { readonly turns: number; readonly sequence: number }): string =>
    line(`?turns=${turns}&sequence=${sequence}`)
  expect((await call(after(json.next))).json).toMatchObject({ turns: [], lines: [], next: json.next })
  await say('T-2', 1_000)
  await platform.conversations.finish({ agentId: 'PROJECT-A', conversationId: 'C-1' })
  const rest = (await call(after(json.next))).json
  expect(rest).toMatchObject({
    conversation: { in_progress: false, num_turns: 2 },
    turns: [{ turn_id: 'T-2' }],
    lines: [{ from: 'visitor' }, { from: 'ai_agent' }, { what: 'ended', from: null }],
  })
  expect((await call(line('?turns=-1'))).status).toBe(400)
  expect((await call(line('', 'C-none'))).json.error_code).toBe('CONVERSATIONS_NOT_FOUND')
  expect((await as(ada(['desk']))(line())).status).toBe(403)
  expect((await as(ada(['reader'], ['ws-two']))(line())).status).toBe(403)
})

test('TE61 who may begins, reads and accepts replays, each of them of their own accounts', async () => {
  const { platform, as } = await serve()
  const { store } = contextOf(platform)
  const { id: deploymentId } = await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const turn = { record: { user_input: 'Open?', agent_response: 'Yes.' }, details: { input_type: 'message' } }
  await store.conversations.create(
    aConversation('C-one', {
      ...{ agentId: 'PROJECT-A', turns: [turn] },
      index: { accountId: 'ws-one', finishedAt: START + 9 },
    }),
  )
  const path = '/v1/agents/PROJECT-A/replays'
  const begun = await as(ada(['author']))(`POST ${path}`, { body: { deploymentId, last: 5 } })
  expect(begun).toMatchObject({
    status: 201,
    json: { deploymentId, conversations: 1, artifactVersion: '1', finishedAt: null },
  })
  const { id } = begun.json
  await platform.idle()
  const read = as(ada(['reader']))
  expect((await read(`GET ${path}?deploymentId=${deploymentId}&limit=1`)).json).toMatchObject({
    replays: [{ id, status: 'finished' }],
  })
  const group = { verdict: 'not_replayable', reason: 'no_recording', from: '', to: '' }
  expect((await read(`GET ${path}/${id}`)).json).toMatchObject({
    ...{ id, replayed: 1, finishedAt: expect.stringMatching(/Z$/) },
    verdicts: { not_replayable: 1, same: 0 },
    groups: [{ ...group, turns: 1, accepted: null }],
  })
  const turns = await read(`GET ${path}/${id}/turns?verdict=not_replayable&reason=no_recording&limit=5`)
  expect(turns.json).toEqual({
    turns: [
      {
        ...{ ...group, turn: 0, reply: '', conversationId: 'C-one' },
        recorded: { userInput: 'Open?', reply: 'Yes.' },
      },
    ],
    cursor: null,
  })
  expect((await read(`GET ${path}/${id}/turns?verdict=fine`)).status).toBe(400)
  const body = { ...group, why: 'It was a test.' }
  expect((await as(ada(['author']))(`POST ${path}/${id}/accept`, { body })).status).toBe(403)
  expect((await as(ada(['releaser']))(`POST ${path}/${id}/accept`, { body })).json).toMatchObject({
    groups: [{ accepted: { why: 'It was a test.', by: 'Ada' } }],
  })
  expect((await as(ada(['reader'], ['two']))(`GET ${path}/${id}`)).status).toBe(403)
})

test('PE420 who also answers visitors reads and writes notes beside a transcript, others do not see them', async () => {
  const { platform, as } = await serve()
  const start = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', channel: 'phone' } as const
  await platform.conversations.start({ ...start, conversationId: 'C-1' })
  const path = '/console/v1/agents/PROJECT-A/conversations/C-1/notes'
  const write = (who: readonly Role[], text: string, more = {}) =>
    as(ada(who))(`POST ${path}`, { ...OF_ONE, body: { text, ...more } })
  expect((await write(['reader'], 'x')).status).toBe(403)
  const first = await write(['desk'], 'Called twice', { note_id: 'n-1' })
  expect(first).toMatchObject({
    status: 201,
    json: { number: 1, author: { id: 'u-ada', name: 'Ada' }, text: 'Called twice', note_id: 'n-1' },
  })
  expect((await write(['operator'], 'Called again')).status).toBe(201)
  expect((await write(['desk'], 'another text', { note_id: 'n-1' })).json.error_code).toBe('NOTE_CONFLICT')
  const other = await as(ada(['desk']))(`POST ${path.replace('C-1', 'C-2')}`, {
    ...{ ...OF_ONE, body: { text: 'x' } },
  })
  expect(other.json.error_code).toBe('CONVERSATIONS_NOT_FOUND')
  const line = (notes: number) =>
    `GET /console/v1/one/PROJECT-A/conversations/C-1/transcript?turns=0&sequence=0&notes=${notes}`
  const read = (await as(ada(['reader', 'desk']))(line(0))).json
  expect(read.notes).toMatchObject([first.json, { number: 2, text: 'Called again' }])
  expect(read.next.notes).toBe(2)
  expect((await as(ada(['operator']))(line(1))).json.notes).toMatchObject([{ number: 2 }])
  expect((await as(ada(['operator']))(line(2))).json).toMatchObject({ notes: [], next: { notes: 2 } })
  const plain = await as(ada(['reader', 'author', 'releaser']))(line(0))
  expect(plain.json).not.toHaveProperty('notes')
  expect(JSON.stringify(plain.json)).not.toContain('Called')
})

test('PE12 a transcript comes with the recordings of its calls, if there are any, and with no account of the store', async () => {
  const { platform, as } = await serve()
  const { conversations } = contextOf(platform).store
  const place = 'GET /console/v1/one/PROJECT-A/conversations/C-one/transcript?turns=0&sequence=0'
  await conversations.create(aConversation('C-one', { agentId: 'PROJECT-A', index: { accountId: 'ws-one' } }))
  const call = as(ada(['reader']))
  expect((await call(place)).json).not.toHaveProperty('recordings')
  const at = Date.UTC(2026, 0, 2)
  await conversations.recordings.begin(
    aRecording('REC-1', { ...{ conversationId: 'C-one', accountId: 'ws-one', at }, bytes: 64_000 }),
    9,
  )
  expect((await call(place)).json.recordings).toEqual([
    {
      ...{ id: 'REC-1', call: '0-call', started_at: '2026-01-02T00:00:00.000Z', ended_at: null },
      ...{ milliseconds: 1_000, bytes: 64_000, end: null },
      consent: { by: 'visitor', how: 'button', at: expect.any(String) },
    },
  ])
})

test('PE12 and TE44 a transcript does not show what functions wrote', async () => {
  const { platform, as } = await serve()
  const details = { function_events: [{ name: 'price' }], function_effects: [[{ type: 'end' }]] }
  await contextOf(platform).store.conversations.create(
    aConversation('C-one', {
      ...{ agentId: 'PROJECT-A', turns: [{ record: {}, details }] },
      index: { accountId: 'ws-one' },
    }),
  )
  const { json } = await as(ada(['reader']))(
    'GET /console/v1/one/PROJECT-A/conversations/C-one/transcript?turns=0&sequence=0',
  )
  expect(json.turns).toEqual([
    {
      function_events: [{ name: 'price' }],
      ...{ delayed: false, ends: false, handoff_destination: '', cited_topic: '' },
      ...{ retrieved_topics: [], retrieved_sources: [], node_trace: [], llm_requests: [] },
    },
  ])
})
