import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { anAlertRule } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const PATH = '/v1/alert-rules'
const NEW = {
  ...{ name: 'Slow', metric: 'turn_latency_p95', operator: '>' },
  ...{ threshold_value: 3_000, window_duration: '5m' },
}

async function serve() {
  const made = await createPopulatedPlatform({ workers: false })
  const dispatcher = createDispatcher(made.platform, routes)
  const callWith = async (key: string, line: string, body?: unknown) => {
    const response = await dispatcher.handle(request(line, { headers: { 'x-api-key': key }, body }))
    return { status: response.status, text: response.body ?? '', json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, body?: unknown) => callWith(made.keys.workspace, line, body)
  const issue = async (input: Partial<Parameters<typeof made.platform.access.createApiKey>[0]>) =>
    (await made.platform.access.createApiKey({ kind: 'workspace', accountId: 'ws-one', ...input })).secret
  const { rules } = contextOf(made.platform).store.alerts
  return { ...made, call, callWith, issue, rules }
}

describe('alert rules over HTTP', () => {
  test('AL1 and AG30 each answer about a rule, exactly', async () => {
    const { call } = await serve()
    const made = await call(`POST ${PATH}`, NEW)
    expect(made.status).toBe(201)
    const shown = {
      id: expect.stringMatching(/^ar_[A-Za-z0-9]+$/),
      ...{ ...NEW, project_id: null, enabled: true, current_state: 'unknown', since: null },
      ...{ last_evaluated_at: null, current_value: null },
      ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
    }
    expect(made.json).toEqual(shown)
    const one = `${PATH}/${made.json.id}`
    const change = {
      ...{ name: 'Other', project_id: 'PROJECT-A', metric: 'api_errors', operator: '<=' },
      ...{ threshold_value: 0, window_duration: '60m', enabled: false },
    }
    const answers = [
      await call(`GET ${one}`),
      await call(`PATCH ${one}`, {}),
      await call(`PATCH ${one}`, change),
      await call(`GET ${one}`),
      await call(`PATCH ${one}`, { project_id: null }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const changed = { ...shown, ...change }
    expect(answers.map(({ json }) => json)).toEqual([
      ...[shown, shown, changed, changed],
      { ...changed, project_id: null },
    ])
    expect(await call(`DELETE ${one}`)).toMatchObject({ status: 204, text: '' })
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect(await call(`${method} ${one}`, method === 'PATCH' ? {} : undefined)).toMatchObject({
        status: 404,
        json: { error_code: 'ALERT_RULE_NOT_FOUND', data: null },
      })
    expect((await call(`GET ${PATH}`)).json).toEqual({ data: [] })
  })

  test('RO12 a rule of a deployment says so, and only such a rule has the field', async () => {
    const { call, platform } = await serve()
    const deployment = await platform.agents.publish('PROJECT-A', { environment: 'live' })
    const side = { project_id: 'PROJECT-A', deployment_id: deployment.id }
    const { json } = await call(`POST ${PATH}`, { ...NEW, ...side })
    expect(json).toMatchObject(side)
    const wrong = await call(`PATCH ${PATH}/${json.id}`, { metric: 'call_volume' })
    expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ['body', 'deployment_id']])
    const none = await call(`PATCH ${PATH}/${json.id}`, { deployment_id: 'DEPLOYMENT-NONE' })
    expect([none.status, none.json.error_code]).toEqual([404, 'DEPLOYMENT_NOT_FOUND'])
    const all = await call(`PATCH ${PATH}/${json.id}`, { deployment_id: null })
    expect([all.status, 'deployment_id' in all.json]).toEqual([200, false])
  })

  test('AL1 the eleventh rule is 409, and says how many are allowed', async () => {
    const { call } = await serve()
    for (let made = 0; made < 10; made++) expect((await call(`POST ${PATH}`, NEW)).status).toBe(201)
    const { status, json } = await call(`POST ${PATH}`, NEW)
    expect([status, json.error_code]).toEqual([409, 'ALERT_RULE_LIMIT'])
    expect(json.error).toContain('10 alert rules')
    expect((await call(`GET ${PATH}`)).json.data).toHaveLength(10)
  })

  test('AL1 rules are listed by every filter, oldest first; active alerts are those in alert', async () => {
    const { call, rules } = await serve()
    const at = { accountId: 'ws-one', lastEvaluatedAt: 2_000 }
    const alert = { state: 'alert', since: 1_000, currentValue: 9 } as const
    const seeded = [
      anAlertRule('ar_a', { ...at, ...alert, agentId: 'PROJECT-A', createdAt: 1 }),
      anAlertRule('ar_b', {
        ...at,
        agentId: 'PROJECT-B',
        metric: 'api_errors',
        createdAt: 2,
        enabled: false,
      }),
      anAlertRule('ar_c', { ...at, ...alert, metric: 'call_volume', createdAt: 3 }),
      anAlertRule('ar_d', { ...at, state: 'no_data', since: 5, metric: 'turn_latency_p50', createdAt: 4 }),
    ]
    for (const rule of seeded) await rules.create(rule, 10)
    await rules.create(anAlertRule('ar_z', { ...alert, accountId: 'ws-two' }), 10)
    const listed = async (query: string) =>
      (await call(`GET ${PATH}?${query}`)).json.data.map(({ id }: { id: string }) => id)
    expect(await listed('')).toEqual(['ar_a', 'ar_b', 'ar_c', 'ar_d'])
    expect(await listed('enabled=false')).toEqual(['ar_b'])
    expect(await listed('enabled=true&state=alert')).toEqual(['ar_a', 'ar_c'])
    expect(await listed('metric=call_volume')).toEqual(['ar_c'])
    expect(await listed('project_id=PROJECT-A')).toEqual(['ar_a'])
    expect(await listed('state=no_data')).toEqual(['ar_d'])
    expect(await listed('state=unknown&project_id=PROJECT-A')).toEqual([])
    const active = {
      ...{ alert_rule_id: 'ar_a', name: 'Rule ar_a', project_id: 'PROJECT-A', metric: 'function_errors' },
      ...{ operator: '>', threshold_value: 3, window_duration: '5m', current_value: 9 },
      ...{ since: '1970-01-01T00:00:01.000Z', last_evaluated_at: '1970-01-01T00:00:02.000Z' },
    }
    const alerts = async (query: string) => (await call(`GET /v1/alerts?${query}`)).json.data
    expect((await alerts('')).map((one: typeof active) => one.alert_rule_id)).toEqual(['ar_a', 'ar_c'])
    expect(await alerts('project_id=PROJECT-A')).toEqual([active])
    expect(await alerts('metric=function_errors')).toEqual([active])
    expect(await alerts('metric=api_errors')).toEqual([])
  })

  test.each<[string, string, unknown, readonly unknown[]]>([
    [`POST ${PATH}`, 'nothing', {}, ['name', 'metric', 'operator', 'threshold_value', 'window_duration']],
    [`POST ${PATH}`, 'a list', [], []],
    [`POST ${PATH}`, 'an unknown field', { ...NEW, colour: 'red' }, ['colour']],
    [`POST ${PATH}`, 'an empty name', { ...NEW, name: '' }, ['name']],
    [`POST ${PATH}`, 'a long name', { ...NEW, name: 'x'.repeat(256) }, ['name']],
    [`POST ${PATH}`, 'an unknown metric', { ...NEW, metric: 'turn_latency_p99' }, ['metric']],
    [`POST ${PATH}`, 'an unknown operator', { ...NEW, operator: '==' }, ['operator']],
    [`POST ${PATH}`, 'a threshold below 0', { ...NEW, threshold_value: -1 }, ['threshold_value']],
    [`POST ${PATH}`, 'a threshold with a fraction', { ...NEW, threshold_value: 1.5 }, ['threshold_value']],
    [`POST ${PATH}`, 'a threshold as text', { ...NEW, threshold_value: '1' }, ['threshold_value']],
    [`POST ${PATH}`, 'an unknown window', { ...NEW, window_duration: '15m' }, ['window_duration']],
    [`POST ${PATH}`, 'enabled as text', { ...NEW, enabled: 'true' }, ['enabled']],
    [`POST ${PATH}`, 'an empty project', { ...NEW, project_id: '' }, ['project_id']],
    [`PATCH ${PATH}/ar_1`, 'an unknown field', { current_state: 'ok' }, ['current_state']],
    [`PATCH ${PATH}/ar_1`, 'a name of null', { name: null }, ['name']],
  ])('AL1 %s with %s is 422 and says where', async (line, _, body, fields) => {
    const { call, rules } = await serve()
    await rules.create(anAlertRule('ar_1', { accountId: 'ws-one' }), 10)
    const { status, json } = await call(line, body)
    expect(status).toBe(422)
    expect(Object.keys(json)).toEqual(['detail'])
    const locations = json.detail.map(({ loc }: { loc: unknown }) => loc)
    expect(locations).toEqual(fields.length === 0 ? [['body']] : fields.map(field => ['body', field]))
    for (const { msg, type } of json.detail) {
      expect(msg).toMatch(/\.$/)
      expect(['missing', 'extra_forbidden', 'value_error']).toContain(type)
    }
    expect(await rules.list('ws-one')).toHaveLength(1)
  })

  test('AL1 types say what is missing and what is too much', async () => {
    const { call } = await serve()
    const { name: _, ...rest } = NEW
    const { json } = await call(`POST ${PATH}`, { ...rest, one: 1, two: 2, threshold_value: -1 })
    expect(
      json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type]).sort(),
    ).toEqual([
      ['name', 'missing'],
      ['one', 'extra_forbidden'],
      ['threshold_value', 'value_error'],
      ['two', 'extra_forbidden'],
    ])
  })

  test.each([
    [`GET ${PATH}?enabled=maybe`, ['query', 'enabled']],
    [`GET ${PATH}?metric=latency`, ['query', 'metric']],
    [`GET ${PATH}?state=fine`, ['query', 'state']],
    [`GET ${PATH}?project_id=`, ['query', 'project_id']],
    [`GET ${PATH}?project_id=a&project_id=b`, ['query', 'project_id']],
    ['GET /v1/alerts?metric=latency', ['query', 'metric']],
    [`GET ${PATH}/whe_1`, ['path', 'rule_id']],
    [`GET ${PATH}/ar_`, ['path', 'rule_id']],
    [`PATCH ${PATH}/ar_a-b`, ['path', 'rule_id']],
    [`DELETE ${PATH}/1`, ['path', 'rule_id']],
  ])('AL1 %s is 422', async (line, loc) => {
    const { call } = await serve()
    const { status, json } = await call(line)
    expect([status, json.detail[0].loc]).toEqual([422, loc])
  })

  test.each(['{', '"name"x', `${'['.repeat(200)}${']'.repeat(200)}`])(
    'AL1 a body that cannot be read, %s, is 400 with the envelope',
    async body => {
      const { call } = await serve()
      const { status, json } = await call(`POST ${PATH}`, body)
      expect([status, json.error_code, json.success]).toEqual([400, 'SCHEMA_VALIDATION_FAILED', false])
    },
  )

  test('AL1 an agent that the account does not have is 404; a rule of another account like one that is not there', async () => {
    const { call, rules } = await serve()
    await rules.create(anAlertRule('ar_1', { accountId: 'ws-one' }), 10)
    await rules.create(anAlertRule('ar_2', { accountId: 'ws-two' }), 10)
    for (const project_id of ['PROJECT-Z', 'PROJECT-none']) {
      for (const asked of [
        await call(`POST ${PATH}`, { ...NEW, project_id }),
        await call(`PATCH ${PATH}/ar_1`, { project_id }),
      ])
        expect([asked.status, asked.json.error_code]).toEqual([404, 'PROJECT_NOT_FOUND'])
    }
    const words = async (line: string, body?: unknown) => {
      const { status, json } = await call(line, body)
      return [status, json.error_code, json.error]
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined
      const unknown = await words(`${method} ${PATH}/ar_none`, body)
      expect(unknown.slice(0, 2)).toEqual([404, 'ALERT_RULE_NOT_FOUND'])
      expect(await words(`${method} ${PATH}/ar_2`, body)).toEqual(unknown)
    }
    expect(await rules.list('ws-two')).toEqual([anAlertRule('ar_2', { accountId: 'ws-two' })])
  })

  test('AL1 a key of one agent sees and makes rules of that agent alone', async () => {
    const { callWith, issue, rules } = await serve()
    const key = await issue({ agentId: 'PROJECT-A' })
    const state = { state: 'alert', since: 1 } as const
    const own = anAlertRule('ar_own', { accountId: 'ws-one', agentId: 'PROJECT-A', ...state })
    const others = [
      anAlertRule('ar_other', { accountId: 'ws-one', agentId: 'PROJECT-B', ...state }),
      anAlertRule('ar_whole', { accountId: 'ws-one', ...state }),
    ]
    for (const rule of [own, ...others]) await rules.create(rule, 10)
    const call = (line: string, body?: unknown) => callWith(key, line, body)
    const ids = ({ json }: Awaited<ReturnType<typeof call>>) =>
      json.data.map((one: { id?: string; alert_rule_id?: string }) => one.id ?? one.alert_rule_id)
    expect(ids(await call(`GET ${PATH}`))).toEqual(['ar_own'])
    expect(ids(await call('GET /v1/alerts'))).toEqual(['ar_own'])
    expect(ids(await call(`GET ${PATH}?project_id=PROJECT-A`))).toEqual(['ar_own'])
    const forbidden = [
      await call(`GET ${PATH}?project_id=PROJECT-B`),
      await call('GET /v1/alerts?project_id=PROJECT-B'),
      await call(`POST ${PATH}`, NEW),
      await call(`POST ${PATH}`, { ...NEW, project_id: null }),
      await call(`POST ${PATH}`, { ...NEW, project_id: 'PROJECT-B' }),
      await call(`PATCH ${PATH}/ar_own`, { project_id: 'PROJECT-B' }),
      await call(`PATCH ${PATH}/ar_own`, { project_id: null }),
      ...(await Promise.all(
        others.flatMap(({ id }) => [
          call(`GET ${PATH}/${id}`),
          call(`PATCH ${PATH}/${id}`, { name: 'Mine' }),
          call(`DELETE ${PATH}/${id}`),
        ]),
      )),
    ]
    for (const { status, json } of forbidden)
      expect([status, json.error_code]).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
    expect(await rules.list('ws-one')).toHaveLength(3)
    expect(await call(`POST ${PATH}`, { ...NEW, project_id: 'PROJECT-A' })).toMatchObject({ status: 201 })
    expect(await call(`PATCH ${PATH}/ar_own`, { name: 'Mine' })).toMatchObject({ status: 200 })
    expect(await call(`DELETE ${PATH}/ar_own`)).toMatchObject({ status: 204 })
  })

  test('AL1 keys of other kinds, without the permission, or none: 401 and 403', async () => {
    const { callWith, issue, keys } = await serve()
    const limited = await issue({ permissions: ['webhooks'] })
    const allowed = await issue({ permissions: ['alerts'] })
    const status = async (key: string) => (await callWith(key, `GET ${PATH}`)).status
    expect(await Promise.all([keys.project, keys.desk, limited, 'nothing', '', allowed].map(status))).toEqual(
      [...[403, 403, 403, 401, 401, 200]],
    )
  })

  test('AG30 what is done to a rule is in the audit log, with what has changed', async () => {
    const { call, platform } = await serve()
    const { json } = await call(`POST ${PATH}`, NEW)
    await call(`PATCH ${PATH}/${json.id}`, { threshold_value: 9, name: 'Slower' })
    await call(`DELETE ${PATH}/${json.id}`)
    const { entries } = await platform.audit.list({ accountId: 'ws-one', resourceId: json.id })
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['alert_rule.deleted', { name: 'Slower' }],
      [
        'alert_rule.changed',
        { changes: { name: { from: 'Slow', to: 'Slower' }, threshold: { from: 3_000, to: 9 } } },
      ],
      [
        'alert_rule.created',
        {
          ...{ name: 'Slow', agentId: null, metric: 'turn_latency_p95', operator: '>' },
          ...{ threshold: 3_000, window: '5m', enabled: true },
        },
      ],
    ])
  })
})
