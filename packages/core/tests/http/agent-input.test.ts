import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { PlatformError } from '../../src/errors.ts'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import type { HttpRequest } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryFiles } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

/** Values of path parameters: an agent with a branch, an environment, and things that are not there. */
const PLACES: Readonly<Record<string, string>> = {
  accountId: 'one',
  agentId: 'PROJECT-A',
  branchId: 'main',
  clientEnv: 'live',
  callSid: 'OUT-00000000-0000-4000-8000-000000000000',
  entryId: '17',
  phoneNumber: '+442079460018',
}
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const agentsRoutes = routes.filter(({ family }) => family === 'agents')
const table = agentsRoutes.map(({ body, method, path }) => ({ method, path, takesBody: body !== null }))
const ofAgent = table.filter(({ path }) => path.includes(':agentId'))
const ofAccount = table.filter(({ path }) => path.includes(':accountId'))

const pathTo = (path: string, places: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => ({ ...PLACES, ...places })[name] ?? 'none')

let dispatcher: Dispatcher
let keys: Awaited<ReturnType<typeof createPopulatedPlatform>>['keys']
let limitedKey: string

/** Makes a platform anew. Refusals change nothing, so that most tests share one. */
async function start(): Promise<void> {
  const made = await createPopulatedPlatform({ files: createMemoryFiles() })
  keys = made.keys
  dispatcher = createDispatcher(made.platform, routes)
  const account = await made.platform.access.account('one')
  if (account === null) throw new Error('no account')
  const input = { kind: 'workspace', accountId: account.id, agentId: 'PROJECT-A' } as const
  limitedKey = (await made.platform.access.createApiKey(input)).secret
}
beforeAll(start)

const errorSchema = z.strictObject({
  success: z.literal(false),
  error: z.string().min(1),
  error_id: z.string(),
  error_code: z.string(),
  error_message: z.string().min(1),
  about: z.array(z.string().min(1)).min(1).optional(),
  data: z.null(),
})

/** The status and code of a refusal, whose body is checked for the six fields. */
async function refusal(line: string, headers: Readonly<Record<string, string>>, body?: unknown) {
  const asked = { 'x-correlation-id': 'asked', 'content-type': 'application/json', ...headers }
  const answer = await dispatcher.handle(
    request(line, { headers: asked, ...(body === undefined ? {} : { body }) }),
  )
  const json = errorSchema.parse(JSON.parse(answer.body ?? 'null'))
  expect([json.error_id, json.error_message]).toEqual(['asked', json.error])
  return { told: [answer.status, json.error_code], message: json.error, headers: answer.headers }
}

const workspace = () => ({ 'x-api-key': keys.workspace })

describe('every route of the Agents API', () => {
  test('HT14 the table holds the routes that are specified', () => {
    const branch = '/v1/agents/:agentId/branches/:branchId'
    const kinds = [
      ['/knowledge-base/topics', 'topicId'],
      ['/attributes', 'attributeId'],
      ['/variants', 'variantId'],
      ['/test-cases', 'testCaseId'],
    ]
    const named = kinds.flatMap(([path, id]) => {
      const one = `${branch}${path}/:${id}`
      return [`GET ${branch}${path}`, `POST ${branch}${path}`, `GET ${one}`, `PATCH ${one}`, `DELETE ${one}`]
    })
    const lines = table.map(({ method, path }) => `${method} ${path}`)
    expect(lines).toEqual(
      expect.arrayContaining([
        'GET /v1/accounts/:accountId/agents',
        'POST /v1/accounts/:accountId/agents',
        'GET /v1/agents/:agentId',
        'DELETE /v1/agents/:agentId',
        'POST /v1/agents/:agentId/duplicate',
        'GET /v1/agents/:agentId/branches',
        'POST /v1/agents/:agentId/branches',
        `GET ${branch}`,
        `DELETE ${branch}`,
        `GET ${branch}/behavior`,
        `PATCH ${branch}/behavior`,
        `GET ${branch}/response-settings`,
        `PATCH ${branch}/response-settings`,
        ...named,
        `POST ${branch}/merge`,
        `GET ${branch}/diff`,
        'GET /v1/agents/:agentId/deployments',
        'GET /v1/agents/:agentId/deployments/active',
        'POST /v1/agents/:agentId/deployments/publish',
        'GET /v1/agents/:agentId/deployments/:deploymentId/diff/:otherId',
        'POST /v1/agents/:agentId/deployments/:deploymentId/promote',
        'POST /v1/agents/:agentId/deployments/:deploymentId/rollback',
        'GET /v1/agents/:agentId/test-runs',
        'POST /v1/agents/:agentId/test-runs',
        'GET /v1/agents/:agentId/test-runs/:testRunId',
        'GET /v1/agents/:agentId/real-time-configs',
        'GET /v1/agents/:agentId/real-time-configs/:clientEnv',
        'PUT /v1/agents/:agentId/real-time-configs/:clientEnv/schema',
        'PATCH /v1/agents/:agentId/real-time-configs/:clientEnv/variables',
      ]),
    )
  })

  test.each(table)('HT14 $method $path needs a key of a workspace', async ({ method, path }) => {
    const line = `${method} ${pathTo(path)}`
    expect((await refusal(line, {})).told).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    const wrong = { 'x-api-key': 'cq_workspace_0000000000000000' }
    expect((await refusal(line, wrong)).told).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    const project = await refusal(line, { 'x-api-key': keys.project })
    expect(project.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  })

  test.each(ofAgent)('HT14 $method $path knows unknown and foreign agents', async ({ method, path }) => {
    const unknown = await refusal(`${method} ${pathTo(path, { agentId: 'PROJECT-none' })}`, workspace(), {})
    expect(unknown.told).toEqual([404, 'PROJECT_NOT_FOUND'])
    const foreign = await refusal(`${method} ${pathTo(path, { agentId: 'PROJECT-Z' })}`, workspace(), {})
    expect(foreign.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
    const limited = { 'x-api-key': limitedKey }
    const other = await refusal(`${method} ${pathTo(path, { agentId: 'PROJECT-B' })}`, limited, {})
    expect(other.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  })

  test.each(ofAccount)('HT14 $method $path knows unknown and foreign accounts', async ({ method, path }) => {
    for (const none of ['ws-none', 'none']) {
      const unknown = await refusal(`${method} ${pathTo(path, { accountId: none })}`, workspace(), {})
      expect(unknown.told).toEqual([404, 'ACCOUNT_NOT_FOUND'])
    }
    for (const two of ['ws-two', 'two']) {
      const foreign = await refusal(`${method} ${pathTo(path, { accountId: two })}`, workspace(), {})
      expect(foreign.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
    }
    const limited = await refusal(`${method} ${pathTo(path)}`, { 'x-api-key': limitedKey }, {})
    expect(limited.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  })

  test.each([...new Set(table.map(({ path }) => path))])('HT14 %s names the methods it has', async path => {
    const has = table.filter(route => route.path === path).map(({ method }): string => method)
    const allowed = [...has, ...(has.includes('GET') ? ['HEAD'] : [])].sort()
    const wrong = [...METHODS, 'OPTIONS'].filter(method => !has.includes(method))
    expect(wrong.length).toBeGreaterThan(0)
    for (const method of wrong) {
      const answer = await refusal(`${method} ${pathTo(path)}`, workspace())
      expect([...answer.told, answer.headers.Allow]).toEqual([405, 'METHOD_NOT_ALLOWED', allowed.join(', ')])
    }
  })

  test.each(table.filter(({ method, takesBody }) => !takesBody && (method === 'GET' || method === 'DELETE')))(
    'HT14 $method $path leaves its body unread, whatever the content type says',
    async ({ method, path }) => {
      const query = /\/deployments$|:callSid/.test(path) ? '?environment=live' : ''
      const unread: HttpRequest = {
        ...request(`${method} ${pathTo(path)}${query}`, {
          headers: { ...workspace(), 'content-type': 'application/json' },
        }),
        body: () => Promise.reject(new Error('The body was read')),
      }
      if (method === 'DELETE') onTestFinished(start)
      expect([200, 204, 404, 422]).toContain((await dispatcher.handle(unread)).status)
    },
  )

  test('HT14 a key for one agent makes no duplicates of it', async () => {
    const limited = { 'x-api-key': limitedKey }
    const body = { newAgentName: 'Copy' }
    const refused = await refusal('POST /v1/agents/PROJECT-A/duplicate', limited, body)
    expect(refused.told).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  })
})

describe('hostile bodies', () => {
  const agent = '/v1/agents/PROJECT-A'
  const turn = { text: 'Hello?', expectations: { contains: ['hello'] } }
  const newCase = { name: 'n', turns: [turn] }
  const expecting = (expectations: unknown) => ({ ...newCase, turns: [{ text: 'Hello?', expectations }] })
  const answering = (result: unknown) => ({ ...newCase, functionResults: { f: result } })
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
  let branch: string
  let ids: {
    readonly topic: string
    readonly attribute: string
    readonly variant: string
    readonly testCase: string
  }

  const sent = async (line: string, body: unknown) => {
    const answer = await dispatcher.handle(request(line, { headers: workspace(), body }))
    return z.looseObject({}).parse(JSON.parse(answer.body ?? '{}'))
  }
  const idOf = (json: Readonly<Record<string, unknown>>, field = 'id') => z.string().parse(json[field])

  beforeAll(async () => {
    const { branchId } = await sent(`POST ${agent}/branches`, { branchName: 'work' })
    branch = `${agent}/branches/${z.string().parse(branchId)}`
    const topics = `POST ${branch}/knowledge-base/topics`
    await sent(topics, { name: 'taken', content: 'c' })
    await sent(`POST ${branch}/attributes`, { name: 'taken' })
    await sent(`POST ${branch}/variants`, { name: 'taken', isDefault: true })
    await sent(`POST ${branch}/test-cases`, { ...newCase, name: 'taken' })
    ids = {
      topic: idOf(await sent(topics, { name: 'n', content: 'c' })),
      attribute: idOf(await sent(`POST ${branch}/attributes`, { name: 'n' })),
      variant: idOf(await sent(`POST ${branch}/variants`, { name: 'n' })),
      testCase: idOf(await sent(`POST ${branch}/test-cases`, newCase)),
    }
  })

  /** `$branch`, `$topic` and the like stand for what is there. */
  const lineOf = (line: string) =>
    line
      .replace('$agent', agent)
      .replace('$branch', branch)
      .replace('$topics', '/knowledge-base/topics')
      .replace('$topic', ids.topic)
      .replace('$attribute', ids.attribute)
      .replace('$variant', ids.variant)
      .replace('$cases', `${branch}/test-cases`)
      .replace('$case', ids.testCase)

  const text = (length: number) => 'x'.repeat(length)
  const newAgent = { name: 'n', responseSettings: { greeting: 'g' } }
  const newTopic = { name: 'new', content: 'c' }
  const AGENTS = 'POST /v1/accounts/one/agents'

  test.each<[line: string, body: unknown, named: RegExp]>([
    [AGENTS, { ...newAgent, name: undefined }, /"name"/],
    [AGENTS, { ...newAgent, name: 5 }, /"name".*string/],
    [AGENTS, { ...newAgent, name: text(101) }, /"name".*100/],
    [AGENTS, { ...newAgent, agentId: '' }, /"agentId"/],
    [AGENTS, { ...newAgent, agentId: 'a b' }, /"agentId".*letters, digits and hyphens/],
    [AGENTS, { ...newAgent, agentId: text(101) }, /"agentId".*100/],
    [AGENTS, { ...newAgent, agentId: null }, /"agentId"/],
    [AGENTS, { ...newAgent, responseSettings: 'g' }, /"responseSettings"/],
    [AGENTS, { ...newAgent, responseSettings: { greeting: '' } }, /"responseSettings\.greeting"/],
    [AGENTS, { ...newAgent, responseSettings: { greeting: text(10_001) } }, /greeting.*10000/],
    [AGENTS, { ...newAgent, responseSettings: { greeting: 'g', languageCode: 'x' } }, /languageCode/],
    [AGENTS, { ...newAgent, voiceSettings: { voiceId: text(201) } }, /voiceId.*200/],
    [AGENTS, { ...newAgent, llmSettings: { modelId: 1 } }, /modelId/],
    [AGENTS, [], /expected (an )?object/i],
    [AGENTS, 'null', /object/i],
    ['POST $agent/duplicate', {}, /"newAgentName"/],
    ['POST $agent/duplicate', { newAgentName: text(101) }, /"newAgentName".*100/],
    ['POST $agent/duplicate', { newAgentName: 'n', newAgentId: '../x' }, /"newAgentId"/],
    ['POST $agent/branches', {}, /"branchName"/],
    ['POST $agent/branches', { branchName: '' }, /"branchName"/],
    ['POST $agent/branches', { branchName: text(101) }, /"branchName".*100/],
    ['PATCH $branch/behavior', {}, /"behavior"/],
    ['PATCH $branch/behavior', { behavior: null }, /"behavior"/],
    ['PATCH $branch/behavior', { behavior: text(200_001) }, /"behavior".*200000/],
    ['PATCH $branch/response-settings', { greeting: '' }, /"greeting".*>=1/],
    ['PATCH $branch/response-settings', { languageCode: 'x', voiceId: 5 }, /"languageCode".*"voiceId"/],
    ['POST $branch$topics', { ...newTopic, name: '' }, /"name"/],
    ['POST $branch$topics', { ...newTopic, name: text(201) }, /"name".*200/],
    ['POST $branch$topics', { name: 'n' }, /"content"/],
    ['POST $branch$topics', { ...newTopic, content: text(100_001) }, /"content".*100000/],
    ['POST $branch$topics', { ...newTopic, actions: text(20_001) }, /"actions".*20000/],
    ['POST $branch$topics', { ...newTopic, actions: {} }, /"actions"/],
    ['POST $branch$topics', { ...newTopic, isActive: 'yes' }, /"isActive"/],
    ['POST $branch$topics', { ...newTopic, exampleQueries: ['q'] }, /"exampleQueries"/],
    ['POST $branch$topics', { ...newTopic, exampleQueries: { queries: 'q' } }, /queries/],
    ['POST $branch$topics', { ...newTopic, exampleQueries: { queries: [''] } }, /queries/],
    ['POST $branch$topics', { ...newTopic, exampleQueries: { queries: [text(1001)] } }, /queries.*1000/],
    [
      'POST $branch$topics',
      { ...newTopic, exampleQueries: { queries: Array(201).fill('q') } },
      /queries.*200/,
    ],
    ['PATCH $branch$topics/$topic', { content: '' }, /"content"/],
    ['PATCH $branch$topics/$topic', { name: null }, /"name"/],
    ['POST $branch/attributes', {}, /"name"/],
    ['POST $branch/attributes', { name: text(101) }, /"name".*100/],
    ['PATCH $branch/attributes/$attribute', { name: '' }, /"name"/],
    ['POST $branch/variants', {}, /"name"/],
    ['POST $branch/variants', { name: 'v', isDefault: 1 }, /"isDefault"/],
    ['POST $branch/variants', { name: 'v', attributeValues: { values: [] } }, /values/],
    ['POST $branch/variants', { name: 'v', attributeValues: { values: { a: 1 } } }, /values/],
    ['POST $branch/variants', { name: 'v', attributeValues: { values: { none: 'x' } } }, /no attribute none/],
    ['PATCH $branch/variants/$variant', { attributeValues: { values: { none: 'x' } } }, /no attribute none/],
    ['POST $cases', { turns: [turn] }, /"name"/],
    ['POST $cases', { ...newCase, name: text(201) }, /"name".*200/],
    ['POST $cases', { name: 'n' }, /"turns"/],
    ['POST $cases', { ...newCase, turns: [] }, /"turns"/],
    ['POST $cases', { ...newCase, turns: Array(51).fill(turn) }, /"turns".*50/],
    ['POST $cases', { ...newCase, turns: [{ ...turn, text: '' }] }, /turns.0.text/],
    ['POST $cases', { ...newCase, turns: [{ ...turn, text: text(10_001) }] }, /text.*10000/],
    [
      'POST $cases',
      { ...newCase, turns: Array(12).fill({ ...turn, text: text(9_000) }) },
      /turns.*100000 characters/,
    ],
    ['POST $cases', { ...newCase, turns: [{ text: 'Hello?' }] }, /expectations/],
    ['POST $cases', expecting({ contain: ['x'] }), /expectations.*contain/],
    ['POST $cases', expecting({ contains: 'x' }), /contains/],
    ['POST $cases', expecting({ contains: [] }), /contains/],
    ['POST $cases', expecting({ notContains: [''] }), /notContains/],
    ['POST $cases', expecting({ contains: Array(21).fill('x') }), /contains.*20/],
    ['POST $cases', expecting({ topic: 5 }), /topic/],
    ['POST $cases', expecting({ function: 'f' }), /function/],
    ['POST $cases', expecting({ function: { name: 'f', arguments: [] } }), /arguments/],
    [
      'POST $cases',
      expecting({ function: { name: 'f', arguments: { a: deep(33) } } }),
      /arguments.a.*32 levels/,
    ],
    ['POST $cases', expecting({ handoff: { to: 'x' } }), /handoff.*to/],
    ['POST $cases', expecting({ ends: 'yes' }), /ends/],
    ['POST $cases', answering({ results: 1 }), /functionResults.*results/],
    ['POST $cases', answering({ result: deep(40) }), /result.*32 levels/],
    ['POST $cases', answering({ result: text(100_001) }), /functionResults.*100000/],
    ['POST $cases', answering({ error: '' }), /error/],
    ['POST $cases', answering({ variables: [] }), /variables/],
    ['POST $cases', answering({ handoff: { destination: 'x' } }), /reason/],
    [
      'POST $cases',
      {
        ...newCase,
        functionResults: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, {}])),
      },
      /functionResults.*50 functions/,
    ],
    ['POST $cases', { ...newCase, variantId: 5 }, /variantId/],
    ['PATCH $cases/$case', { isActive: 1, name: null }, /"isActive".*"name"|"name".*"isActive"/],
    ['POST $agent/test-runs', {}, /"deploymentId"/],
    ['POST $branch/merge', { deploymentMessage: 1 }, /"deploymentMessage"/],
    ['POST $branch/merge', { deploymentMessage: text(10_001) }, /"deploymentMessage".*10000/],
    ['POST $branch/merge', { conflictResolutions: {} }, /"conflictResolutions"/],
    ['POST $branch/merge', { conflictResolutions: [{ path: 'behavior', strategy: 'ours' }] }, /path/],
    ['POST $branch/merge', { conflictResolutions: [{ path: [], strategy: 'ours' }] }, /path/],
    ['POST $branch/merge', { conflictResolutions: [{ path: [1], strategy: 'ours' }] }, /path/],
    [
      'POST $branch/merge',
      { conflictResolutions: [{ path: ['behavior'], strategy: 'mine' }] },
      /strategy.*ours.*theirs.*base/,
    ],
    ['POST $branch/merge', { conflictResolutions: [{ path: ['behavior'] }] }, /strategy/],
    ['POST $agent/deployments/publish', { deploymentMessage: [] }, /"deploymentMessage"/],
    ['POST $agent/deployments/publish', { environment: 1 }, /"environment"/],
    ['POST $agent/deployments/none/promote', { targetEnvironment: null }, /"targetEnvironment"/],
  ])('HT14 %s %j is 400 and names the fault', async (line, body, named) => {
    const answer = await refusal(lineOf(line), workspace(), body)
    expect([...answer.told, answer.message]).toEqual([
      400,
      'SCHEMA_VALIDATION_FAILED',
      expect.stringMatching(named),
    ])
  })

  test.each<[line: string, body: unknown, status: number, code: string]>([
    [AGENTS, { ...newAgent, agentId: 'PROJECT-A' }, 409, 'PROJECT_ID_ALREADY_EXISTS'],
    [AGENTS, { ...newAgent, agentId: 'PROJECT-Z' }, 409, 'PROJECT_ID_ALREADY_EXISTS'],
    ['POST $agent/branches', { branchName: 'main' }, 409, 'BRANCH_ALREADY_EXISTS'],
    ['POST $branch$topics', { ...newTopic, name: 'taken' }, 409, 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS'],
    ['PATCH $branch$topics/$topic', { name: 'taken' }, 409, 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS'],
    ['POST $branch/attributes', { name: 'taken' }, 409, 'ATTRIBUTE_ALREADY_EXISTS'],
    ['PATCH $branch/attributes/$attribute', { name: 'taken' }, 409, 'ATTRIBUTE_ALREADY_EXISTS'],
    ['POST $branch/variants', { name: 'taken' }, 409, 'VARIANT_ALREADY_EXISTS'],
    ['PATCH $branch/variants/$variant', { name: 'taken' }, 409, 'VARIANT_ALREADY_EXISTS'],
    ['POST $cases', { ...newCase, name: 'taken' }, 409, 'TEST_CASE_ALREADY_EXISTS'],
    ['PATCH $cases/$case', { name: 'taken' }, 409, 'TEST_CASE_ALREADY_EXISTS'],
    ['POST $cases', { ...newCase, name: 'new', variantId: 'none' }, 404, 'VARIANT_NOT_FOUND'],
    ['PATCH $cases/$case', { variantId: 'none' }, 404, 'VARIANT_NOT_FOUND'],
    ['GET $cases/none', undefined, 404, 'TEST_CASE_NOT_FOUND'],
    ['PATCH $cases/none', {}, 404, 'TEST_CASE_NOT_FOUND'],
    ['DELETE $cases/none', undefined, 404, 'TEST_CASE_NOT_FOUND'],
    ['GET $agent/branches/none/test-cases', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/none/test-cases', newCase, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/main/test-cases', {}, 422, 'MAIN_BRANCH_READ_ONLY'],
    ['GET $agent/test-runs/none', undefined, 404, 'TEST_RUN_NOT_FOUND'],
    ['GET $agent/test-runs?limit=0', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['GET $agent/test-runs?cursor=x', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['POST $agent/test-runs', { deploymentId: 'none' }, 404, 'DEPLOYMENT_NOT_FOUND'],
    ['GET $agent/branches/none', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['GET $agent/branches/none/diff', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['DELETE $agent/branches/none', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['GET $agent/branches/none/behavior', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['PATCH $agent/branches/none/behavior', { behavior: 'x' }, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/none/merge', {}, 404, 'BRANCH_NOT_FOUND'],
    ['GET $agent/branches/none$topics', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/none$topics', newTopic, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/none/attributes', { name: 'n' }, 404, 'BRANCH_NOT_FOUND'],
    ['POST $agent/branches/none/variants', { name: 'n' }, 404, 'BRANCH_NOT_FOUND'],
    ['GET $branch$topics/none', undefined, 404, 'TOPIC_NOT_FOUND'],
    ['PATCH $branch$topics/none', {}, 404, 'TOPIC_NOT_FOUND'],
    ['DELETE $branch$topics/none', undefined, 404, 'TOPIC_NOT_FOUND'],
    ['GET $branch$topics/$variant', undefined, 404, 'TOPIC_NOT_FOUND'],
    ['GET $branch/attributes/none', undefined, 404, 'ATTRIBUTE_NOT_FOUND'],
    ['PATCH $branch/attributes/none', {}, 404, 'ATTRIBUTE_NOT_FOUND'],
    ['DELETE $branch/attributes/none', undefined, 404, 'ATTRIBUTE_NOT_FOUND'],
    ['GET $branch/variants/none', undefined, 404, 'VARIANT_NOT_FOUND'],
    ['PATCH $branch/variants/none', {}, 404, 'VARIANT_NOT_FOUND'],
    ['DELETE $branch/variants/none', undefined, 404, 'VARIANT_NOT_FOUND'],
    ['POST $agent/deployments/none/promote', {}, 404, 'DEPLOYMENT_NOT_FOUND'],
    ['POST $agent/deployments/none/rollback', {}, 404, 'DEPLOYMENT_NOT_FOUND'],
    ['GET $agent/nowhere', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['GET $agent/deployments?environment=LIVE', undefined, 400, 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
    ['GET $agent/deployments?environment=live&limit=x', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['POST $agent/deployments/publish', { environment: 'moon' }, 400, 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
    [
      'POST $agent/deployments/none/promote',
      { targetEnvironment: 'moon' },
      400,
      'DEPLOYMENTS_INVALID_TARGET',
    ],
    [
      'POST $branch/merge',
      { conflictResolutions: [{ path: ['nothing', 'here'], strategy: 'ours' }] },
      400,
      'MERGE_INVALID_RESOLUTION',
    ],
    [
      'POST $branch/merge',
      { conflictResolutions: [{ path: ['__proto__'], strategy: 'theirs', value: 'x' }] },
      400,
      'MERGE_INVALID_RESOLUTION',
    ],
  ])('HT14 %s %j is %i %s', async (line, body, status, code) => {
    expect((await refusal(lineOf(line), workspace(), body)).told).toEqual([status, code])
  })

  test('HT14 a body over 1 MiB is 413, and one at the limit is read', async () => {
    const line = `PATCH ${branch}/behavior`
    const sized = (bytes: number): HttpRequest => ({
      ...request(line, { headers: { ...workspace(), 'x-correlation-id': 'asked' } }),
      async body(limit) {
        const spaces = new TextEncoder().encode(JSON.stringify({ behavior: 'x' }).padEnd(bytes, ' '))
        if (bytes > limit) throw new PlatformError('BODY_TOO_LARGE', `At most ${limit} bytes`)
        return spaces
      },
    })
    expect((await dispatcher.handle(sized(1_048_576))).status).toBe(200)
    const refused = await dispatcher.handle(sized(1_048_577))
    expect(refused.status).toBe(413)
    expect(errorSchema.parse(JSON.parse(refused.body ?? '')).error_code).toBe('BODY_TOO_LARGE')
  })

  test('HT14 what was refused has changed nothing', async () => {
    const shown = async () => {
      const paths = [agent, `${agent}/branches`, branch, `${branch}/variants`, `${branch}/attributes`]
      const read = (path: string) => dispatcher.handle(request(`GET ${path}`, { headers: workspace() }))
      return (await Promise.all(paths.map(read))).map(({ status, body }) => [status, body])
    }
    const before = await shown()
    await refusal(lineOf('POST $branch$topics'), workspace(), { ...newTopic, name: 'taken' })
    await refusal(lineOf('PATCH $branch/variants/$variant'), workspace(), { name: 'taken', isDefault: true })
    await refusal(lineOf('POST $branch/merge'), workspace(), {
      conflictResolutions: [{ path: ['behavior'], strategy: 'base' }],
    })
    expect(await shown()).toEqual(before)
    expect(before.map(([status]) => status)).toEqual([200, 200, 200, 200, 200])
  })
})
