import { createServer } from 'node:http'
import { type Clock, type HandoffContext, type LiveAgents, systemClock } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { listen, stop } from '../src/listen.ts'
import { viaWebhooks, WEBHOOK_DEFAULTS } from '../src/via-webhooks.ts'
import { CALL_SECRET, openRoad } from './support/road.ts'

const HANDOFF: HandoffContext = {
  handoffId: 'c1.1',
  conversationId: 'c1',
  accountId: 'a1',
  agentId: 'g1',
  queueName: 'reception',
  reason: 'asked',
  destination: 'reception',
  visitor: { id: 'guest-7', name: 'Ada' },
}
const MESSAGE = { messageId: 'm1', text: 'Hello', at: 1 }

/** A system that answers with these statuses, one after another; the last one for ever. Null: never. */
async function openSystem(
  answers: readonly (number | null)[],
  headers: Readonly<Record<string, string>> = {},
  // Long: that a busy machine answers late is not what is tested.
  timeout = 10_000,
): Promise<{ liveAgents: LiveAgents; ids: string[]; waits: number[]; url: string }> {
  const ids: string[] = []
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    const status = answers[Math.min(ids.length, answers.length) - 1] ?? null
    if (status !== null) response.writeHead(status, headers).end('because')
  })
  const url = await listen(server, 0)
  onTestFinished(() => stop(server))
  const waits: number[] = []
  // Waits are noted and not waited.
  const clock: Clock = {
    now: systemClock.now,
    monotonic: systemClock.monotonic,
    schedule(delay, task) {
      waits.push(delay)
      return systemClock.schedule(0, task)
    },
  }
  const transcript = async () => []
  const liveAgents = viaWebhooks({ url, secret: CALL_SECRET, transcript, clock, timeout })()
  return { liveAgents, ids, waits, url }
}

test.each([408, 429, 500, 503])(
  'WL7 a call that is answered with %i is made again, under the same id',
  async status => {
    const { liveAgents, ids, waits } = await openSystem([status, status, 200])
    await liveAgents.request(HANDOFF)
    expect(ids).toEqual(Array(3).fill('c1_1-handoff_requested'))
    expect(waits).toEqual([250, 1_000])
  },
)

test('WL7 after three attempts the call is rejected with what was answered', async () => {
  const { liveAgents, ids, waits, url } = await openSystem([500])
  await expect(liveAgents.forward(HANDOFF, MESSAGE)).rejects.toThrow(
    `${url} answered 500 to visitor.message: because`,
  )
  expect(ids).toEqual(Array(3).fill('c1_1-m1'))
  expect(waits).toEqual([250, 1_000])
})

test('WL7 an answer that does not come in time is a failure, and so is a connection that is refused', async () => {
  const silent = await openSystem([null, 204], {}, 200)
  await silent.liveAgents.cancel(HANDOFF, 'timed out')
  expect(silent.ids).toEqual(Array(2).fill('c1_1-handoff_cancelled'))
  const nobody = viaWebhooks({
    url: 'http://127.0.0.1:1',
    secret: CALL_SECRET,
    transcript: async () => [],
    pauses: [],
  })()
  await expect(nobody.request(HANDOFF)).rejects.toThrow(/could not be reached with handoff\.requested/)
})

test.each([301, 400, 401, 404, 409])(
  'WL7 a call that is answered with %i is not made again',
  async status => {
    const { liveAgents, ids } = await openSystem([status, 200])
    const made = liveAgents.forward(HANDOFF, MESSAGE)
    await expect(made).rejects.toThrow(String(status))
    expect(ids).toHaveLength(1)
  },
)

test('WL7 Retry-After is kept to, as far as the deadline of the platform allows', async () => {
  const soon = await openSystem([429, 200], { 'retry-after': '0.5' })
  await soon.liveAgents.request(HANDOFF)
  const late = await openSystem([429, 200], { 'retry-after': '3600' })
  await late.liveAgents.request(HANDOFF)
  const odd = await openSystem([429, 200], { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })
  await odd.liveAgents.request(HANDOFF)
  expect([soon.waits, late.waits, odd.waits]).toEqual([[500], [1_000], [250]])
})

test('WL7 that a visitor types is said once', async () => {
  const { liveAgents, ids } = await openSystem([500, 200])
  await expect(liveAgents.visitorTyping(HANDOFF, 'started')).rejects.toThrow('500')
  expect(ids).toHaveLength(1)
})

test('WL7 all attempts together are over before the platform gives the call up', async () => {
  const { platform } = await openRoad()
  const { timeout, pauses, longestPause } = WEBHOOK_DEFAULTS
  const waits = pauses.reduce((sum, wait) => sum + Math.max(wait, longestPause), 0)
  expect((pauses.length + 1) * timeout + waits).toBeLessThan(platform.settings.liveAgentDeadline)
})
