import type { AttemptOutcome } from '../../src/domain/webhook/attempt.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import {
  ACCOUNT,
  aConversation,
  aNewEndpoint,
  anAccount,
  aWebhookEvent,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '../../src/testing/index.ts'

export { silentLog } from '../../src/ports/log.ts'
export { ACCOUNT, aNewEndpoint, aWebhookEvent, START }

/** A request that the sender was given. */
export interface SentRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly at: number
}

/** Answers a request, or leaves it unanswered until its signal aborts. */
export type Receiver = (request: SentRequest) => number | 'no answer' | AttemptOutcome

/** A sender that asks a function what the receiver answers, and remembers the requests. */
function createFakeSender(now: () => number, receiver: () => Receiver) {
  const requests: SentRequest[] = []
  let [open, most] = [0, 0]
  const sender: WebhookSender = {
    objection: url => (url.includes('refused') ? 'it is refused' : null),
    async send({ signal, ...given }) {
      const request = { ...given, at: now() }
      requests.push(request)
      open++
      most = Math.max(most, open)
      const answer = receiver()(request)
      const outcome =
        answer === 'no answer'
          ? await new Promise<AttemptOutcome>(resolve => {
              const reason = () => (signal.reason instanceof Error ? signal.reason.message : 'aborted')
              signal.addEventListener('abort', () => resolve({ type: 'failed', reason: reason() }))
            })
          : typeof answer === 'number'
            ? ({ type: 'answered', status: answer } as const)
            : answer
      open--
      return outcome
    },
  }
  return { sender, requests, most: () => most }
}

/** A store and a clock that platforms share, as processes do. */
export async function createWorld() {
  const clock = createFakeClock(START)
  const store = createMemoryStore()
  await store.access.accounts.create(anAccount(ACCOUNT))
  let receiver: Receiver = () => 204
  const { sender, requests, most } = createFakeSender(clock.now, () => receiver)
  const errors: unknown[] = []
  const warnings: string[] = []
  const log = { debug() {}, info() {}, error() {}, warn: (message: string) => warnings.push(message) }

  /** One process without a sender. */
  const startMute = (options: Partial<PlatformOptions> = {}) =>
    createPlatform({
      // A process that closes leaves the store to the others.
      store: { ...store, close: async () => undefined },
      runtime: createScriptedRuntime({}, clock),
      clock,
      log,
      rateLimits: null,
      // Tests write into the store, of which nobody tells the process.
      wakeInterval: 500,
      onError: error => errors.push(error),
      ...options,
    })
  /** One process. */
  const start = (options: Partial<PlatformOptions> = {}) => startMute({ webhookSender: sender, ...options })

  return {
    clock,
    store,
    requests,
    errors,
    warnings,
    start,
    startMute,
    /** The most requests that were unanswered at one moment. */
    most,
    answer(next: Receiver) {
      receiver = next
    },
    /** Keeps an event as a conversation's end does, for every endpoint of the account that wants it. */
    tell: (id: string) => tell(store, id, clock.now()),
  }
}

async function tell(store: Store, id: string, at: number): Promise<void> {
  const webhooks = [aWebhookEvent(`EVENT-${id}`, { at, conversationId: id })]
  await store.conversations.create(aConversation(id, { outbox: { webhooks } }))
}
