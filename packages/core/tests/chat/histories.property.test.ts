import { eachMethod } from '@colloquy/test-support/each-method'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectorInfo } from '../../src/domain/access/access.ts'
import { isPlatformError } from '../../src/errors.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type Script,
} from '../../src/testing/index.ts'

const CHATS = 3

/** What happens next. */
const steps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('create' as const), chat: fc.nat(CHATS - 1) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('say' as const),
      chat: fc.nat(CHATS - 1),
      word: fc.constantFrom('plain', 'plain', 'plain', 'slow', 'slow', 'pay', 'fail', 'bye'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('repeat' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('paid' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), chat: fc.nat(CHATS - 1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const), chat: fc.nat(CHATS - 1) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('crash' as const) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('wait' as const), milliseconds: fc.nat(3_000) }) },
)

/** A request of a caller that repeats it under its key until it has its answer. */
interface Request {
  readonly chat: number
  /** Null for the one that begins the chat. */
  readonly text: string | null
  readonly key: string
  /** What it was answered with, each time. */
  readonly answers: string[]
}

const NEVER = new Promise<never>(() => undefined)

/** A store that does nothing any more once its process is dead. */
const mortal = (store: Store, isDead: () => boolean): Store => {
  const part = <Part extends object>(of: Part): Part =>
    eachMethod(
      of,
      call =>
        (...input) =>
          isDead() ? NEVER : Promise.resolve(call(...input)).then(found => (isDead() ? NEVER : found)),
    )
  return {
    ...{ agents: part(store.agents), access: part(store.access), conversations: part(store.conversations) },
    ...{ webhooks: part(store.webhooks), audit: part(store.audit), alerts: part(store.alerts) },
    close: async () => undefined,
  }
}

test('TC30 each request has exactly one answer, equal for repeats; no reply is told twice or lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 60 }), async history => {
      const clock = createFakeClock(Date.UTC(2026, 0, 1))
      const store = createMemoryStore()
      const ids = createSequentialIds()
      const awaited: string[] = []
      const script: Script = {
        greeting: 'Welcome.',
        externalEvent: ({ input }) => `late ${input.type === 'external_event' ? input.eventId : ''}`,
        async otherwise(turn) {
          const text = turn.input.type === 'message' ? turn.input.text : ''
          const reply = `to ${text}`
          if (text.startsWith('fail')) return [{ type: 'fail', message: 'broken' }]
          if (text.startsWith('slow')) return [{ type: 'wait', milliseconds: 2_500 }, reply]
          if (text.startsWith('bye')) return [reply, { type: 'end' }]
          if (text.startsWith('pay')) awaited.push(await turn.expectExternalEvent())
          return reply
        },
      }
      let kill = (): void => undefined
      const begin = (): Platform => {
        let dead = false
        kill = () => {
          dead = true
        }
        const common = { clock, ids, log: silentLog, rateLimits: null, onError: () => undefined }
        const runtime = createScriptedRuntime(script, clock)
        return createPlatform({ ...common, runtime, store: mortal(store, () => dead), wakeInterval: 1_000 })
      }
      let platform = begin()
      const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
      const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
      await platform.agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
      const { connector } = await platform.access.createConnector({
        ...{ accountId: account.id, agentId: agent.id, environment: 'live', hosts: [] },
      })
      const requests: Request[] = []
      const chats = new Map<number, string>()
      const acknowledged = new Map<number, number>()

      const answerTo = async (request: Request): Promise<string> => {
        try {
          if (request.text === null) {
            const begun = await platform.chat.create(connector, { idempotencyKey: request.key })
            chats.set(request.chat, begun.conversationId)
            return JSON.stringify(begun)
          }
          const conversationId = chats.get(request.chat) ?? ''
          const said = { conversationId, message: request.text, idempotencyKey: request.key }
          return JSON.stringify(await platform.chat.respond(connector, said))
        } catch (error) {
          if (!isPlatformError(error)) throw error
          return `${error.code}: ${error.message}`
        }
      }
      const ask = (request: Request): Promise<void> =>
        answerTo(request).then(answer => void request.answers.push(answer))

      let said = 0
      for (const step of history) {
        switch (step.type) {
          case 'create': {
            if (requests.some(({ chat, text }) => chat === step.chat && text === null)) break
            const request = {
              chat: step.chat,
              text: null,
              key: `create ${step.chat}`.replace(' ', '-'),
              answers: [],
            }
            requests.push(request)
            void ask(request)
            break
          }
          case 'say': {
            if (!chats.has(step.chat)) break
            said++
            const text = `${step.word} ${said}`
            const request = { chat: step.chat, text, key: `key-${said}`, answers: [] }
            requests.push(request)
            void ask(request)
            break
          }
          case 'repeat': {
            const request = requests[step.which % Math.max(requests.length, 1)]
            if (request !== undefined) void ask(request)
            break
          }
          case 'paid': {
            const eventId = awaited.shift()
            if (eventId === undefined) break
            await platform.externalEvents
              .receive({
                ...{ accountId: account.id, agentId: agent.id, location: 'querystring', path: 'e' },
                ...{
                  headers: {},
                  query: `e=${eventId}`,
                  contentType: 'text/plain',
                  body: new Uint8Array([1]),
                },
              })
              .catch(() => undefined)
            break
          }
          case 'read': {
            const conversationId = chats.get(step.chat)
            if (conversationId === undefined) break
            const after = acknowledged.get(step.chat)
            const read = await platform.chat.replies(connector, {
              conversationId,
              ...(after === undefined ? {} : { after }),
            })
            acknowledged.set(step.chat, read.next)
            break
          }
          case 'close': {
            const conversationId = chats.get(step.chat)
            if (conversationId !== undefined) await platform.chat.close(connector, conversationId)
            break
          }
          case 'crash':
            kill()
            platform = begin()
            break
          case 'wait':
            await clock.advance(step.milliseconds)
        }
        await clock.settle()
      }
      await clock.advance(120_000)
      // Each caller repeats its request until it has an answer, and once more.
      for (let time = 0; time < 2; time++) {
        const repeated = Promise.all(requests.map(ask))
        await clock.settle()
        await clock.advance(120_000)
        await repeated
      }
      for (const request of requests) {
        expect(request.answers.length).toBeGreaterThanOrEqual(2)
        expect([request, new Set(request.answers).size]).toEqual([request, 1])
      }
      for (const [chat, conversationId] of chats)
        await checkReplies(
          platform,
          connector,
          conversationId,
          requests.filter(one => one.chat === chat),
        )
      kill()
    }),
    { numRuns: runs(12, 150) },
  )
})

/** Every reply is there, in order and once, and no two messages were told the same one. */
async function checkReplies(
  platform: Platform,
  connector: ConnectorInfo,
  conversationId: string,
  requests: readonly Request[],
) {
  const { replies } = await platform.chat.replies(connector, { conversationId, after: 0 })
  expect(replies.map(({ index }) => index)).toEqual(replies.map((_, at) => at + 1))
  const texts = replies.map(({ response }) => response)
  expect(new Set(texts).size).toBe(texts.length)
  const answers = requests.flatMap(({ answers: [answer = ''], text }) => (text === null ? [] : [answer]))
  const told = answers.flatMap(answer => {
    if (!answer.startsWith('{')) return []
    const { response }: { readonly response: string } = JSON.parse(answer)
    return response.split('\n\n')
  })
  expect(new Set(told).size).toBe(told.length)
  for (const text of told) expect(texts).toContain(text)
  // What a message has caused is told by its own answer.
  for (const text of texts.filter(one => one.startsWith('to '))) expect(told).toContain(text)
}
