import { describe, expect, it } from 'vitest'
import { newDelivery } from '../../../../../domain/webhook/webhook.ts'
import type { ConversationWrite } from '../../../../../ports/store/conversations.ts'
import type { Store } from '../../../../../ports/store/store.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aCachedAudio,
  aCount,
  aDeployment,
  anAgent,
  anEndpoint,
  aPooledNumber,
  aTestCase,
  aTestResult,
  aTestRun,
  aTopic,
  aWebhookEvent,
} from '../../../../fixtures.ts'
import { eventsOf } from '../../stored.ts'
import {
  EXTREME_TIMES,
  HARD_STRINGS,
  openForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from '../../tools.ts'

// These groups keep a value otherwise than as one document. ST8 covers the values of documents.

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte)

/** Any JSON, with a text in it. */
const json = (text: string) => ({
  ...{ text, [`key ${text}`]: [text, 1.5, null, true, { deep: [[text]] }], '': '', proto: '__proto__' },
  numbers: [0, -1, 0.1, 1e300, 5e-324, Number.MAX_SAFE_INTEGER],
  nothing: [null, false, '', [], {}],
})

/** A value that a group keeps: written with a text wherever there may be one, and a moment wherever there is one. */
interface KeptValue {
  readonly name: string
  check(store: Store, text: string, at: number): Promise<void>
}

/**
 * Checks that `read` returns the value given to `write`, whatever happens to values that were given and read before.
 */
function kept<T>({
  make,
  name,
  prepare,
  read,
  write,
}: {
  readonly name: string
  make(text: string, at: number): T
  /** Writes the data that must exist before. */
  prepare?(store: Store, value: T): Promise<unknown>
  write(store: Store, value: T): Promise<unknown>
  read(store: Store, value: T): Promise<unknown>
}): KeptValue {
  return {
    name,
    async check(store, text, at) {
      const value = make(text, at)
      await prepare?.(store, value)
      await scribbling(value, copy => write(store, copy))
      scribble(await read(store, value))
      expect(await read(store, value)).toEqual(value)
    },
  }
}

const agentOf = (text: string, at: number) => ({ agentId: `agent ${text}`, accountId: text, createdAt: at })

/** Resources of several kinds, in the order of their keys. */
const contentOf = (text: string) => [
  aTestCase(text, { name: text, functionResults: { look: { result: json(text) } } }),
  aTopic(text, { name: text, content: text.repeat(2_000), actions: text, exampleQueries: [text, text] }),
  {
    ...({ kind: 'variants', id: text } as const),
    value: { name: text, isDefault: true, attributeValues: { a: text } },
  },
]

/** Returns a conversation with that text wherever it may be. */
function conversationOf(id: string, text: string, at: number) {
  const custom = { [`k${text}`]: text }
  return aConversation(id, {
    startedAt: at,
    events: [anEvent({ id: text, at, payload: json(text), custom, clientEventId: text })],
    turns: [aTurn(text)],
    state: { variables: json(text), agentName: text },
    index: {
      handoff: { id: text, status: 'waiting', queueName: text, since: at, liveAgentId: null },
      listed: false,
    },
    wakeAt: at,
  })
}

/** Reads a conversation back as it was written. */
async function readConversation<T extends ConversationWrite>(
  { conversations }: Store,
  written: T,
): Promise<T> {
  const { conversationId: id } = written
  const [event] = await eventsOf(conversations, id, 0)
  const { sequence: _, ...own } = event ?? { sequence: 0 }
  const handoffs = await conversations.handoffs.list(ACCOUNT, 'waiting')
  const held = handoffs.find(({ conversationId }) => conversationId === id)
  const { conversationId: _id, handoffId = '', language: _language, ...handoff } = held ?? {}
  return {
    ...written,
    state: (await conversations.load(id))?.state,
    events: [own],
    turns: await conversations.turns(id),
    index: { ...written.index, handoff: { id: handoffId, ...handoff } },
  }
}

const KEPT_VALUES: readonly KeptValue[] = [
  kept({
    name: 'numberPool',
    make: (text, at) =>
      aPooledNumber(`+${text}`, { ...agentOf(text, at), freeFrom: at + 1, attributes: json(text) }),
    prepare: ({ access }, value) =>
      access.numberPool.add([{ ...value, freeFrom: value.createdAt, attributes: { old: 1 } }], 9),
    write: ({ access }, { agentId, attributes, createdAt: at, freeFrom: until }) =>
      access.numberPool.reserve(agentId, { attributes: attributes ?? {}, at, until }),
    read: ({ access }, { number }) => access.numberPool.find(number),
  }),
  kept({
    name: 'audioCache',
    make: (text, at) => {
      const named = { transcript: text, provider: text, providerVoiceId: text, languageCode: text }
      const whose = { accountId: 'ws-sounds', agentId: text, audioFilename: text, cachedAt: at, usedAt: at }
      return aCachedAudio(`A${text}`, { ...named, ...whose, config: json(text) }, EVERY_BYTE)
    },
    write: ({ access }, value) => access.audioCache.add(value, 1_000_000),
    read: ({ access }, { entry }) => access.audioCache.read(entry.agentId, entry.id),
  }),
  kept({
    name: 'agents',
    make: (text, at) =>
      anAgent(`agent ${text}`, { accountId: text, name: text, createdAt: at, changes: contentOf(text) }),
    write: ({ agents }, value) => agents.create(value),
    read: async ({ agents }, { agent: { accountId, id } }) => ({
      agent: (await agents.list(accountId))[0],
      main: (await agents.branches.list(id))[0],
      revision: (await agents.revisions.main(id))?.head,
      changes: await agents.revisions.resourcesAt(id, 1),
    }),
  }),
  kept({
    name: 'testRuns',
    make: text => {
      const verdicts = [
        { expectation: 'contains', passed: false, expected: json(text), actual: json(text) },
      ] as const
      const turn = {
        text,
        reply: text,
        retrievedTopics: [text],
        citedTopic: text,
        handoff: null,
        ended: false,
      }
      const turns = [{ ...turn, functionEvents: [json(text)], verdicts }]
      return {
        run: aTestRun(1, { agentId: `r ${text}`, id: text, error: text, writes: 2 }),
        results: [aTestResult(text, { name: text, turns })],
      }
    },
    prepare: async ({ agents }, { run }) => {
      await agents.create(anAgent(run.agentId))
      await agents.deployments.create(aDeployment(1, { agentId: run.agentId }), {
        ...run,
        error: null,
        writes: 1,
      })
    },
    write: ({ agents }, { results, run }) => agents.testRuns.save(1, run, results),
    read: ({ agents }, { run }) => agents.testRuns.find(run.agentId, run.id),
  }),
  kept({
    name: 'deliveries.update',
    make: (text, at) => {
      const body = { contentType: text, bytes: 9, text: `a\u0000\u0001é\u{1f600}"\\${text}`, isCut: true }
      return { id: text, exchange: { url: text, sentAt: at, body } }
    },
    prepare: async ({ webhooks }, { id }) => {
      await webhooks.endpoints.create(anEndpoint(id), 100)
      await webhooks.deliveries.keepEvent(aWebhookEvent(id), id)
    },
    write: ({ webhooks }, { exchange, id }) =>
      webhooks.deliveries.update(1, { ...newDelivery(aWebhookEvent(id), id), version: 2 }, exchange),
    read: async ({ webhooks }, { id }) => ({
      id,
      exchange: (await webhooks.deliveries.find(id, id))?.exchange,
    }),
  }),
  kept({
    name: 'counters',
    make: text => aCount('call_volume', { accountId: text, agentId: text, count: 2 ** 40 }),
    write: ({ alerts }, value) => alerts.counters.add([value]),
    read: async ({ alerts }, { accountId, agentId }) => {
      const filter = {
        accountId,
        name: 'call_volume',
        from: 0,
        ...(agentId !== null && { agentId }),
      } as const
      const sums = await alerts.counters.sum(filter)
      return aCount('call_volume', { accountId, agentId, ...sums[0] })
    },
  }),
  kept({
    name: 'messageKeys',
    make: text => text,
    prepare: ({ conversations }) => conversations.create(aConversation('AS-keys')),
    write: ({ conversations }, key) =>
      conversations.messageKeys.take({ key, conversationId: 'AS-keys', at: 0, freeUntil: -1 }),
    read: async ({ conversations }, key) => {
      const other = { key, conversationId: 'AS-1', at: 0, freeUntil: -1 }
      await conversations.create(aConversation('AS-1'))
      return (await conversations.messageKeys.take(other)) === 'held' ? key : 'nothing'
    },
  }),
  kept({
    name: 'externalEvents',
    make: (text, at) => ({
      eventId: text,
      contentType: `text/plain; of=${text}`,
      receivedAt: at,
      body: EVERY_BYTE.slice(),
    }),
    prepare: async ({ conversations }, { eventId }) => {
      await conversations.create(aConversation(eventId))
      const whose = { accountId: ACCOUNT, agentId: AGENT, conversationId: eventId }
      await conversations.externalEvents.expect({ eventId, ...whose })
    },
    write: ({ conversations }, event) =>
      conversations.externalEvents.accept({ ...event, accountId: ACCOUNT, agentId: AGENT }),
    read: async ({ conversations }, { eventId }) => {
      const { conversationId: _, body, ...event } = (await conversations.externalEvents.find(eventId)) ?? {}
      return { ...event, body: Uint8Array.from(body ?? []) }
    },
  }),
  kept({
    name: 'conversations.create',
    make: (text, at) => conversationOf(`c ${text}`, text, at),
    write: ({ conversations }, value) => conversations.create(value),
    read: (store, value) => readConversation(store, value),
  }),
  kept({
    name: 'conversations.append',
    make: (text, at) => {
      const { outbox: _, ...append } = anAppend(conversationOf(`a ${text}`, text, at), 1)
      return { ...append, ...conversationOf(`a ${text}`, text, at) }
    },
    prepare: ({ conversations }, { conversationId }) =>
      conversations.create(aConversation(conversationId, { events: [] })),
    write: ({ conversations }, value) => conversations.append(value),
    read: (store, value) => readConversation(store, value),
  }),
  kept({
    name: 'handoffs.joinedWaits',
    make: text => ({ accountId: ACCOUNT, queueName: text, joinedAt: 1, waited: 7, keepSince: 0 }),
    prepare: ({ conversations }, { queueName }) => conversations.create(aConversation(`w ${queueName}`)),
    write: ({ conversations }, joinedWait) =>
      conversations.append(anAppend(aConversation(`w ${joinedWait.queueName}`), 1, { joinedWait })),
    read: async ({ conversations }, { accountId, queueName }) => {
      const [wait] = await conversations.handoffs.joinedWaits(accountId, queueName, 0, 9)
      return { accountId, queueName, keepSince: 0, ...wait }
    },
  }),
]

/** Rules ST8: values come back as they went in, and are not shared. */
export function describeValues(factory: StoreFactory): void {
  describe('values', () => {
    for (const { check, name } of KEPT_VALUES)
      it(`ST8 every string, moment and byte is kept as it is, copied in and out: ${name}`, async () => {
        const store = await openForTest(factory)
        for (const [at, text] of HARD_STRINGS.entries())
          await check(store, text, EXTREME_TIMES[at % EXTREME_TIMES.length] ?? 0)
      })
  })
}
