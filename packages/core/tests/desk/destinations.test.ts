import { ADA, createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { HandoffContext } from '../../src/ports/live-agents.ts'
import { createScriptedRuntime } from '../../src/testing/index.ts'
import type { DeskEvent } from '../../src/usecases/desk/desk-event.ts'
import { request } from '../support/request.ts'

const WISH = { type: 'handoff', destination: 'billing', reason: 'Invoices' } as const

/** A visitor of a connector with that queue whom the agent has handed to billing. */
async function handedOff(queueName: string, options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const runtime = createScriptedRuntime(
    { greeting: 'Welcome.', messages: { invoice: ['One moment.', WISH] }, otherwise: 'Yes.' },
    bench.clock,
  )
  const platform = bench.start({ runtime, ...options })
  const { accountId } = await openVisitor(platform, bench.clock)
  const [connector] = (await platform.access.connectors({ accountId })).connectors
  const operator = (await platform.access.createApiKey({ kind: 'operator' })).secret
  const call = async (line: string, key: Readonly<Record<string, string>>, body?: unknown) => {
    const headers = { ...key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await createDispatcher(platform, routes).handle(request(line, { headers, body }))
    return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
  }
  const changed = await call(
    `PATCH /operator/v1/connectors/${connector?.id}`,
    { authorization: `Bearer ${operator}` },
    { handoff: { queueName } },
  )
  expect([changed.status, changed.json.handoff?.queueName]).toEqual([200, queueName])
  const seen: DeskEvent[] = []
  await platform.desk.watch(accountId, event => seen.push(event))
  const visitor = await openVisitor(platform, bench.clock)
  await visitor.join()
  await visitor.say('invoice')
  await bench.clock.advance(1)
  const secret = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
  return { ...bench, platform, visitor, seen, desk: (line: string) => call(line, { 'x-api-key': secret }) }
}

test.each([
  ['', 'billing'],
  ['reception', 'reception'],
])('from a connector with the queue "%s" billing is asked for in the queue %s', async (given, queue) => {
  const { visitor, platform, desk, seen } = await handedOff(given)
  const shown = {
    handoff_id: handoffOf(visitor),
    queue_name: queue,
    destination: 'billing',
    reason: 'Invoices',
  }
  expect((await desk('GET /desk/v1/handoffs')).json.handoffs).toMatchObject([shown])
  expect((await desk(`GET /desk/v1/handoffs/${handoffOf(visitor)}`)).json).toMatchObject(shown)
  expect(seen.map(deskEventOnWire)).toMatchObject([{ type: 'handoff.waiting', handoff: shown }])
  const accepted = visitor.received.find(({ type }) => type === 'EVENT_TYPE_HANDOFF_ACCEPTED')
  expect(accepted?.payload).toEqual({ queue_name: queue })
  expect(await platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)).toMatchObject({
    queueName: queue,
    destination: 'billing',
  })
})

test('another live-agent system is asked with queue and destination', async () => {
  const asked: HandoffContext[] = []
  const nothing = async () => undefined
  const liveAgents = {
    request: async (handoff: HandoffContext) => void asked.push(handoff),
    ...{ forward: nothing, visitorTyping: nothing, cancel: nothing },
  }
  await handedOff('', { liveAgents: () => liveAgents })
  expect(asked).toMatchObject([{ queueName: 'billing', destination: 'billing', reason: 'Invoices' }])
})
