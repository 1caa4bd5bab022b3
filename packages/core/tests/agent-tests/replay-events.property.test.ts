import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineFunction, REPLAY_MODES } from '../../src/index.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import type { Script } from '../../src/testing/index.ts'
import { replayed } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

/** An agent whose answers tell all that a turn reads, and a conversation with it in live. */
async function begin() {
  const expected: string[] = []
  const pay = defineFunction({
    description: 'Asks for the money.',
    parameters: z.object({ isDelayed: z.boolean() }),
    async execute(conversation, { isDelayed }) {
      conversation.setVariable('asked', Number(conversation.variables.asked ?? 0) + 1)
      expected.push(await conversation.expectExternalEvent({ delayResponse: isDelayed }))
    },
  })
  const charge = defineFunction({
    description: 'Takes the money under the id of its event.',
    parameters: z.object({ eventId: z.string() }),
    execute: (_, { eventId }) => `Charge ${eventId.slice(0, 8)}`,
  })
  const told = ({ variables }: RuntimeTurn): string =>
    `asked ${variables.asked ?? 0}, paid ${variables.paid ?? 0}`
  const pays = (isDelayed: boolean) => async (turn: RuntimeTurn) => {
    const { concluded, expectedEventIds } = await turn.callFunction('pay', { isDelayed })
    const { result } = await turn.callFunction('charge', { eventId: expectedEventIds[0] ?? '' })
    return concluded ? [] : `${String(result)}, please pay: ${told(turn)}.`
  }
  const script: Script = {
    greeting: 'Hi.',
    messages: { pay: pays(false), 'pay and wait': pays(true) },
    externalEvent: turn => [
      { type: 'variable', key: 'paid', value: Number(turn.variables.paid ?? 0) + 1 },
      `${turn.input.type === 'external_event' && new TextDecoder().decode(turn.input.body)}: ${told(turn)}.`,
    ],
    otherwise: async turn => `${(await turn.history(99)).length} lines, ${told(turn)}.`,
  }
  const bench = await createBench({ script, functions: { pay, charge } })
  const { clock, platform } = bench
  const { id: deploymentId } = await platform.agents.publish(AGENT, { environment: 'live' })
  const accountId = (await platform.agents.find(AGENT))?.accountId ?? ''
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId: AGENT, environment: 'live', hosts: [] },
  })
  const { conversationId } = await platform.chat.create(connector, {})
  const open: Promise<unknown>[] = []
  let events = 0
  return {
    bench,
    deploymentId,
    async say(message: string): Promise<void> {
      open.push(platform.chat.respond(connector, { conversationId, message }).catch(() => undefined))
      await clock.settle()
    },
    /** The oldest event that is expected, and did not come. */
    async receive(): Promise<void> {
      const eventId = expected[events]
      if (eventId === undefined) return
      events++
      await platform.externalEvents.receive({
        ...{ accountId, agentId: AGENT, location: 'headers', path: 'x-event', query: '' },
        ...{ headers: { 'x-event': eventId }, contentType: 'text/plain' },
        body: new TextEncoder().encode(`Event ${events}`),
      })
      await clock.settle()
    },
    async end(): Promise<number> {
      await clock.advance(600_000)
      await Promise.all(open)
      await platform.chat.close(connector, conversationId)
      const record = await platform.reading.record(accountId, AGENT, conversationId)
      return record?.turns?.value.length ?? 0
    },
  }
}

test('TE45 and TE67 whatever visitors say and whenever events come, with its own agent each turn is the same', async () => {
  const step = fc.constantFrom('Hello', 'pay', 'pay and wait', 'event', 'event')
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...REPLAY_MODES),
      async (steps, mode) => {
        const talk = await begin()
        for (const one of steps) await (one === 'event' ? talk.receive() : talk.say(one))
        const turns = await talk.end()
        const { report } = await replayed(talk.bench.platform, { deploymentId: talk.deploymentId, mode })
        expect([report.verdicts.same, report.groups]).toEqual([turns, []])
        expect(talk.bench.errors).toEqual([])
      },
    ),
    { numRuns: runs(25, 250) },
  )
})
