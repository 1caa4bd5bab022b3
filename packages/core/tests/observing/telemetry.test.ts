import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { guardTelemetry } from '../../src/guarded/telemetry.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createPlatform } from '../../src/platform.ts'
import { METRICS, type Span, type Telemetry } from '../../src/ports/telemetry.ts'
import { hostOf, WAYS } from '../conversation/failing-host.ts'
import { request } from '../support/request.ts'
import { createNotedTelemetry } from './support.ts'

function openPlatform(telemetry: Telemetry | readonly Telemetry[]) {
  const { liveAgents: _, ...host } = hostOf()
  const errors: string[] = []
  const onError = (error: unknown, where: string) => void errors.push(`${where}: ${error}`)
  const platform = createPlatform({ ...host, rateLimits: null, telemetry, onError })
  return { platform, clock: host.clock, errors }
}

test('OB11 a turn, its functions and its commands are operations, with names of the GenAI conventions', async () => {
  const noted = createNotedTelemetry()
  const { platform, clock } = openPlatform(noted.telemetry)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('call')
  await clock.settle()
  const [greeting, turn] = noted.of('turn')
  expect(greeting?.fields).toMatchObject({ 'colloquy.turn.input': 'greeting' })
  expect(turn).toMatchObject({
    operation: { name: 'Front desk' },
    fields: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'colloquy',
      'gen_ai.agent.id': visitor.agentId,
      'gen_ai.conversation.id': visitor.id,
      'colloquy.turn.input': 'message',
    },
    ended: true,
    failure: null,
  })
  expect(noted.of('tool')).toMatchObject([
    {
      operation: { name: 'work' },
      fields: { 'gen_ai.operation.name': 'execute_tool' },
      ended: true,
      failure: null,
    },
  ])
  expect(
    noted.of('command').map(({ operation, fields }) => [operation.name, fields['colloquy.outcome']]),
  ).toEqual([
    ['join', 'done'],
    ['turn_completed', 'done'],
    ['message', 'done'],
    ['turn_completed', 'done'],
  ])
  expect(JSON.stringify(noted.operations)).not.toContain('It worked')
  await platform.close()
})

test('OB11 and PM1 a request is told by its route, and no path of a client becomes a series', async () => {
  const noted = createNotedTelemetry()
  const { platform } = openPlatform(noted.telemetry)
  const dispatcher = createDispatcher(platform, routes)
  await dispatcher.handle(request('GET /v1/agents/PROJECT-123'))
  await dispatcher.handle(request('GET /v1/nothing/of/that/kind'))
  expect(noted.of('request').map(({ operation, fields }) => [operation.name, fields])).toEqual([
    [
      'GET /v1/agents/:agentId',
      {
        'http.request.method': 'GET',
        'http.route': '/v1/agents/:agentId',
        'http.response.status_code': 401,
      },
    ],
    ['GET', { 'http.request.method': 'GET', 'http.route': '', 'http.response.status_code': 404 }],
  ])
  expect(noted.figures).toMatchObject([
    { metric: 'colloquy.errors', value: 1, fields: { code: 'AUTH_USER_UNAUTHORISED', where: 'request' } },
    {
      metric: 'colloquy.request.duration',
      fields: { method: 'GET', route: '/v1/agents/:agentId', status: 401 },
    },
    { metric: 'colloquy.errors', fields: { code: 'ROUTE_NOT_FOUND' } },
    { metric: 'colloquy.request.duration', fields: { method: 'GET', route: '', status: 404 } },
  ])
  await platform.close()
})

test('PM1 the figures of a conversation have the fields that the table names', async () => {
  const noted = createNotedTelemetry()
  const { platform, clock } = openPlatform(noted.telemetry)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('hello')
  await visitor.say('broken')
  await visitor.say('person')
  await clock.advance(60_000)
  await visitor.end()
  await clock.settle()
  await visitor.drop()
  for (const { metric, fields } of noted.figures)
    expect(Object.keys(fields).sort()).toEqual([...METRICS[metric].fields].sort())
  const names = new Set(noted.figures.map(({ metric }) => metric))
  expect([...names].sort()).toEqual([
    'colloquy.conversations',
    'colloquy.errors',
    'colloquy.handoffs',
    'colloquy.queue',
    'colloquy.sockets',
    'colloquy.turn.duration',
    'colloquy.turn.first_chunk',
  ])
  const sockets = noted.figures
    .filter(({ metric }) => metric === 'colloquy.sockets')
    .map(({ value }) => value)
  expect(sockets).toEqual([1, 0])
  await platform.close()
})

test.each(Object.entries(WAYS))(
  'OB10 nothing of a conversation depends on a telemetry that %s',
  async (_, fails) => {
    const noted = createNotedTelemetry()
    const failing: Telemetry = {
      begin: () => ({ set: fails, within: fails, end: fails }) as never,
      measure: fails as never,
    }
    const { platform, clock } = openPlatform([failing, noted.telemetry])
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.say('call')
    await clock.settle()
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'It worked.'])
    expect(noted.of('turn')).toHaveLength(2)
    await platform.close()
  },
)

const SPAN: Span = { set() {}, within: work => work(), end() {} }

test('OB10 work within a span is done once, whatever the span does', () => {
  let calls = 0
  const work = () => ++calls
  const spans: Record<string, Span> = {
    'calls it twice': { ...SPAN, within: work => [work(), work()][1] as never },
    'does not call it': { ...SPAN, within: () => undefined as never },
    'throws before it': { ...SPAN, within: WAYS.throws },
    'throws after it': {
      ...SPAN,
      within(work) {
        work()
        throw new Error('after it')
      },
    },
  }
  for (const [what, span] of Object.entries(spans)) {
    calls = 0
    const guarded = guardTelemetry({ begin: () => span, measure() {} }, () => {})
    expect(guarded?.begin?.({ kind: 'turn', name: 'x', fields: {} }).within(work), what).toBe(1)
    expect(calls, what).toBe(1)
  }
  const guarded = guardTelemetry({ begin: () => SPAN, measure() {} }, () => {})
  expect(() => guarded?.begin?.({ kind: 'turn', name: 'x', fields: {} }).within(WAYS.throws)).toThrow(
    'the host failed',
  )
})

test('nothing is done for operations that no telemetry traces; beside one that does not, another has them', () => {
  const names: string[] = []
  const figures = { measure: () => {} }
  const traces: Telemetry = {
    begin({ name }) {
      names.push(name)
      return SPAN
    },
    measure() {},
  }
  expect(guardTelemetry(figures, () => {})?.begin).toBe(null)
  expect(guardTelemetry([figures, figures], () => {})?.begin).toBe(null)
  const both = guardTelemetry([figures, traces], () => {})
  expect(both?.begin?.({ kind: 'turn', name: 'x', fields: {} }).within(() => 1)).toBe(1)
  expect(names).toEqual(['x'])
})

test('OB10 what was not taken is counted, and told with the next figure', () => {
  const told: unknown[] = []
  const errors: unknown[] = []
  let away = true
  const telemetry: Telemetry = {
    begin: WAYS.throws,
    measure(metric, value) {
      if (away) throw new Error('the queue is full')
      told.push([metric, value])
    },
  }
  const guarded = guardTelemetry(telemetry, error => errors.push(error))
  for (let index = 0; index < 1_500; index++) guarded?.measure('colloquy.sockets', index, {})
  away = false
  guarded?.measure('colloquy.sockets', 7, {})
  expect(errors).toHaveLength(2)
  expect(told).toEqual([
    ['colloquy.telemetry.dropped', 1_500],
    ['colloquy.sockets', 7],
  ])
})

test('without a telemetry there is none, and an empty list is none', () => {
  expect(guardTelemetry(undefined, () => {})).toBeNull()
  expect(guardTelemetry([], () => {})).toBeNull()
})
