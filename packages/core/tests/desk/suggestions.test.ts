import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { ConversationToAnswer, DeskAssistant } from '../../src/ports/desk-assistant.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }

/** Two processes; in the first Ada talks to a visitor. A test answers what the assistant is asked. */
async function talking(options: Partial<PlatformOptions> = {}) {
  const asked: { readonly conversation: ConversationToAnswer; readonly signal: AbortSignal }[] = []
  const answers: { resolve(replies: readonly string[]): void; reject(error: Error): void }[] = []
  const deskAssistant: DeskAssistant = {
    summarize: async () => 'Summary',
    suggest(conversation, signal) {
      asked.push({ conversation, signal })
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
  }
  const bench = createDeskBench()
  const [platform, other] = [bench.start({ deskAssistant, ...options }), bench.start({ deskAssistant })]
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  const id = handoffOf(visitor)
  await platform.desk.accept(accountId, id, ADA)
  await bench.clock.settle()
  /** Begins to ask; returns what comes of it. */
  const begin = (on = platform) =>
    on.desk.suggest(accountId, id).then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    )
  return { ...bench, platform, other, visitor, accountId, id, asked, answers, begin }
}

describe('suggested replies', () => {
  test('DK650 at most three, of all that was said and of what the agent knows, and nothing reaches the visitor', async () => {
    const { accountId, answers, asked, clock, id, platform, visitor } = await talking()
    await visitor.say('Is breakfast included?')
    const before = visitor.received.length
    const replies = platform.desk.suggest(accountId, id)
    await clock.settle()
    const { conversation } = asked[0] ?? {}
    expect(conversation?.lines.at(-1)).toMatchObject({ from: 'visitor', text: 'Is breakfast included?' })
    expect(conversation?.content?.topics).toEqual([])
    answers[0]?.resolve([' Yes. ', '', 'Yes.', 'No.', 'x'.repeat(1_001), 'Fourth.'])
    expect(await replies).toEqual(['Yes.', 'No.', `${'x'.repeat(999)}…`])
    await clock.settle()
    expect(visitor.received).toHaveLength(before)
  })

  test('DK650 only the live agent who has the visitor may ask', async () => {
    const { accountId, asked, clock, id, platform } = await talking()
    const as = (caller: object) => platform.as(caller).desk.suggest(accountId, id, { liveAgentIds: ['ben'] })
    await expect(as({ type: 'api_key', id: 'k', name: '' })).rejects.toMatchObject({
      code: 'USER_ACCESS_FORBIDDEN',
    })
    await expect(platform.desk.suggest('ws-other', id)).rejects.toMatchObject({ code: 'HANDOFF_NOT_FOUND' })
    await platform.desk.leave(accountId, id)
    await clock.settle()
    await expect(platform.desk.suggest(accountId, id)).rejects.toMatchObject({ code: 'HANDOFF_CONFLICT' })
    expect(asked).toEqual([])
  })

  test('DK650 what hangs is called off at the deadline; what fails says so without its words', async () => {
    const { answers, asked, begin, clock } = await talking({ assistantTimeout: 3_000 })
    const hanging = begin()
    await clock.settle()
    await clock.advance(3_000)
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(await hanging).toMatchObject({
      error: { code: 'ASSISTANT_FAILED', message: expect.stringContaining('within 3000 ms') },
    })
    const failing = begin()
    await clock.settle()
    answers[1]?.reject(new Error('secret key refused'))
    const { error } = (await failing) as { error: Error }
    expect(error).toMatchObject({ code: 'ASSISTANT_FAILED' })
    expect(error.message).not.toContain('secret')
  })

  test('DK650 when the live agent goes on, in whichever process, it is called off and nothing comes', async () => {
    const { accountId, asked, begin, clock, id, other, platform } = await talking()
    const first = begin()
    await clock.settle()
    await other.desk.send(accountId, id, { text: 'One moment.' })
    await clock.settle()
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(await first).toEqual({ value: [] })
    const second = begin(other)
    await clock.settle()
    await platform.desk.leave(accountId, id)
    await clock.settle()
    expect(await second).toEqual({ value: [] })
  })

  test('DK650 a live agent asks only so often', async () => {
    const { accountId, answers, clock, id, platform } = await talking({
      rateLimits: { assistant: { perSecond: 0.1, burst: 2 } },
    })
    const ask = async () => {
      const replies = platform.desk.suggest(accountId, id)
      replies.catch(() => undefined)
      await clock.settle()
      answers.at(-1)?.resolve(['Yes.'])
      return replies
    }
    expect([await ask(), await ask()]).toEqual([['Yes.'], ['Yes.']])
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await clock.advance(10_000)
    expect(await ask()).toEqual(['Yes.'])
  })

  test('DK650 over HTTP, with a key that is bound to its live agent', async () => {
    const { accountId, answers, clock, id, platform } = await talking()
    const dispatcher = createDispatcher(platform, routes)
    const ask = async (permissions: readonly string[]) => {
      const { secret } = await platform.access.createApiKey({
        kind: 'desk',
        accountId,
        permissions: [...permissions],
      })
      const answered = dispatcher.handle(
        request(`POST /desk/v1/handoffs/${id}/suggestions`, { headers: { 'x-api-key': secret } }),
      )
      await clock.settle()
      answers.at(-1)?.resolve(['Yes.'])
      const { body, status } = await answered
      return { status, json: JSON.parse(body ?? 'null') }
    }
    expect(await ask(['desk', 'live-agent:ada'])).toEqual({ status: 200, json: { suggestions: ['Yes.'] } })
    expect((await ask(['desk', 'live-agent:ben'])).status).toBe(403)
  })
})
