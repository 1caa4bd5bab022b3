import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { projectIndex } from '../../../domain/conversation/project-record.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import { type CopyableStore, UNFINISHED_COPY } from '../../../store/copies.ts'
import { compareStores } from '../../../usecases/copying/compare-stores.ts'
import { copyStore } from '../../../usecases/copying/copy-store.ts'
import { examineTarget } from '../../../usecases/copying/examine-target.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCachedAudio,
  aCommit,
  aConnector,
  aCount,
  aDeployment,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anAuditEntry,
  anEndpoint,
  anOutboundCall,
  aPhoneNumber,
  aPooledNumber,
  aRealTimeConfig,
  aTelephonyConnector,
  aTestResult,
  aTestRun,
  aTextPair,
  aTokenKey,
  aTopic,
  aVoice,
  aWebhookEvent,
  START,
} from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { conversationSnapshot, SHARED_ID } from './conversation-snapshot.ts'

/** How a contract gets at two stores between which it copies. */
export interface CopyFactory {
  /** A new store that holds nothing. */
  source(): Promise<CopyableStore>
  /** One of the adapter under test, which holds nothing either. */
  target(): Promise<CopyableStore>
}

const CONVERSATIONS = ['AS-1', 'AS-2', 'AS-3', 'AS-4'] as const

const handoffOf = (queueName: string): NonNullable<ConversationState['handoff']> => ({
  ...{ id: `HANDOFF-${queueName}`, status: 'waiting', queueName, reason: '', destination: '' },
  ...{
    requestedAt: START,
    timeoutAt: START + 300_000,
    liveAgent: null,
    acceptedBy: null,
    attendedUntil: null,
  },
})

async function begin(
  { conversations }: CopyableStore,
  id: ConversationId,
  startedAt: number = START,
): Promise<void> {
  const conversation = aConversation(id, { startedAt, wakeAt: START + 60_000 })
  await conversations.create({ ...conversation, index: projectIndex(conversation.state) })
}

/** What a visitor says, and what it changes. */
interface Said {
  readonly text: string
  readonly change?: Partial<ConversationState>
  readonly wakeAt?: number
}

/** Writes on in a conversation as a platform does. */
async function writeOn(
  { conversations }: CopyableStore,
  id: ConversationId,
  { text, change = {}, wakeAt = START + 60_000 }: Said,
): Promise<void> {
  const stored = await conversations.load(id)
  if (stored === null) return
  const { state } = stored
  const next = { ...state, ...change, sequence: state.sequence + 1 }
  const append = anAppend(
    { conversationId: id, index: projectIndex(state), wakeAt: START + 60_000, state },
    stored.version,
    {
      state: next,
      events: [anEvent({ id: `${id}-${next.sequence}`, clientEventId: `client-${next.sequence}` })],
      turns: [aTurn(text)],
      wakeAt: change.endedAt === undefined ? wakeAt : null,
    },
  )
  const written = await conversations.append({ ...append, index: projectIndex(next) })
  expect(written.status).toBe('appended')
}

async function fillAccess({ access, audit }: CopyableStore): Promise<void> {
  await access.accounts.create(anAccount(), { audit: anAuditEntry('AUDIT-1') })
  await access.accounts.create(anAccount('ws-two'))
  await access.apiKeys.create(anApiKey('KEY-1'))
  await access.apiKeys.create(anApiKey('KEY-2'))
  await access.apiKeys.revoke('KEY-2', START + 5)
  await access.apiKeys.touch('KEY-1', START + 9, 1)
  await access.connectors.create(aConnector('CONNECTOR-1'))
  await access.connectors.create(aTelephonyConnector('CONNECTOR-2'))
  const answered = aPhoneNumber('+15550000001', { connectorId: 'CONNECTOR-2' })
  await access.phoneNumbers.add([answered, aPhoneNumber('+15550000002')], 9)
  await access.numberPool.add([aPooledNumber('+15550000003'), aPooledNumber('+15550000004')], 9)
  await access.voices.create(aVoice('VOICE-1'), 9)
  await access.audioCache.add(aCachedAudio('1', { hitCount: 4, usedAt: START + 9 }), 900)
  await access.audioCache.add(aCachedAudio('2', {}, new Uint8Array([0, 255, 128, 10])), 900)
  await access.voices.create(aVoice('VOICE-2', { metadata: { language: 'de-DE' }, version: 3 }), 9)
  await access.numberPool.reserve(AGENT, { attributes: { order: 7 }, at: START, until: START + 600 })
  await access.tokenKeys.secret('cursor', 'a secret')
  await access.tokenKeys.add(aTokenKey(1), START)
  await access.tokenKeys.add(aTokenKey(2), START + 100)
  await audit.append(anAuditEntry('AUDIT-2', { at: START + 1 }))
}

async function fillAgents({ agents }: CopyableStore): Promise<void> {
  await agents.create(anAgent())
  await agents.create(anAgent('PROJECT-GONE'))
  await agents.delete('PROJECT-GONE', START + 3)
  const branch = aBranch('BRANCH-1', { agentId: AGENT })
  await agents.branches.create(branch)
  const edited = { ...branch, version: 2, updatedAt: START + 4 }
  await agents.branches.edit(1, edited, [aTopic('one'), aTopic('two')])
  await agents.revisions.commit(
    aCommit(edited, { revision: 1, deployment: 0 }, [aTopic('one'), aTopic('two')]),
  )
  await agents.branches.create(aBranch('BRANCH-2', { agentId: AGENT, baseRevision: 2 }))
  await agents.branches.edit(1, aBranch('BRANCH-2', { agentId: AGENT, baseRevision: 2, version: 2 }), [
    { kind: 'topics', id: 'one', value: null },
  ])
  await agents.deployments.create(
    aDeployment(2, { environment: 'live', revision: 2, type: 'promotion' }),
    aTestRun(2),
  )
  await agents.testRuns.save(1, { ...aTestRun(2), writes: 2 }, [aTestResult('one'), aTestResult('two')])
  // A run outlives its branch.
  await agents.branches.create(aBranch('BRANCH-3', { agentId: AGENT }))
  const tested = { id: 'BRANCH-3', version: 1, testCaseIds: ['one'] }
  await agents.testRuns.create(
    aTestRun(2, { id: 'T-branch', deploymentId: 'BRANCH-3', version: '', branch: tested }),
  )
  await agents.branches.delete(AGENT, 'BRANCH-3')
  await agents.realTimeConfigs.write(0, aRealTimeConfig())
}

async function fillConversations(store: CopyableStore): Promise<void> {
  const { externalEvents } = store.conversations
  for (const id of CONVERSATIONS) await begin(store, id)
  await writeOn(store, 'AS-1', { text: 'Where is my parcel?' })
  await writeOn(store, 'AS-1', {
    text: 'Thank you',
    change: { endedAt: START + 9_000, endReason: 'REASON_USER_END' },
  })
  // The handoffs do not come in the order of their conversations.
  await writeOn(store, 'AS-3', {
    text: 'A human, please',
    change: { handoff: handoffOf('sales'), owner: 'queue' },
  })
  await writeOn(store, 'AS-2', {
    text: 'Somebody?',
    change: {
      handoff: handoffOf('reception'),
      handedOff: { data: { ticket: 7 }, sharedId: SHARED_ID, at: START + 1 },
      owner: 'queue',
    },
  })
  for (const eventId of ['event-1', 'event-2', 'event-3']) {
    const whose = { accountId: ACCOUNT, agentId: AGENT }
    await externalEvents.expect({ eventId, conversationId: 'AS-4', ...whose })
    const body = new TextEncoder().encode(`{"id":"${eventId}"}`)
    if (eventId !== 'event-3')
      await externalEvents.accept({
        eventId,
        ...whose,
        contentType: 'application/json',
        body,
        receivedAt: START,
      })
  }
}

async function fillWebhooks({ webhooks }: CopyableStore): Promise<void> {
  await webhooks.endpoints.create(anEndpoint('ENDPOINT-1'), 10)
  await webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-1'), 'ENDPOINT-1')
  await webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-2', { conversationId: null }), 'ENDPOINT-1')
  const [claimed] = await webhooks.deliveries.claim('ENDPOINT-1', START + 1, 1, START + 60_000)
  if (claimed === undefined) throw new Error('Nothing was claimed.')
  const { delivery } = claimed
  const next = { ...delivery, status: 'delivered' as const, dueAt: null, inFlight: false }
  const answered = { contentType: 'text/plain', bytes: 2, text: 'é', isCut: false }
  const exchange = { url: 'https://hooks.example.com/in', sentAt: START, body: answered }
  const sent = { ...next, attempts: 1, version: delivery.version + 1 }
  await webhooks.deliveries.update(delivery.version, sent, exchange)
}

async function fillAlerts({ alerts }: CopyableStore): Promise<void> {
  await alerts.rules.create(anAlertRule('ar_1', { agentId: AGENT, state: 'alert', since: START + 1 }), 10)
  await alerts.rules.create(anAlertRule('ar_2', { enabled: false }), 10)
  await alerts.counters.add([
    ...[aCount('turn_latency', { value: 900, count: 3 }), aCount('turn_latency', { value: 1_800 })],
    ...[aCount('api_errors', { agentId: null }), aCount('api_errors', { minute: START + 60_000 })],
  ])
}

async function fillTexts({ conversations: { textPairs } }: CopyableStore): Promise<void> {
  await textPairs.save(aTextPair({ recent: [{ id: 'SM-1', conversationId: 'AS-1' }] }), 0)
  await textPairs.save(aTextPair({ theirs: '+12025550112', optedOut: true }), 0)
}

async function fillCalls({ conversations: { outboundCalls } }: CopyableStore): Promise<void> {
  await outboundCalls.save(anOutboundCall('OUT-1', { metadata: { order: '12' } }), 0)
  await outboundCalls.save(
    anOutboundCall('OUT-2', { phase: 'succeeded', endedAt: START, dueAt: START + 7 }),
    0,
  )
}

async function fill(store: CopyableStore): Promise<void> {
  await fillAccess(store)
  await fillAgents(store)
  await fillConversations(store)
  await fillWebhooks(store)
  await fillAlerts(store)
  await fillTexts(store)
  await fillCalls(store)
}

/** What a platform reads of a store. */
async function tellOf({ access, agents, alerts, audit, conversations, webhooks }: CopyableStore) {
  return {
    accounts: await access.accounts.list({}, 100),
    keys: await access.apiKeys.list({}, 100),
    connectors: [
      await access.connectors.list({}, 100),
      await access.connectors.listTelephony(AGENT, {}, 100),
      await access.phoneNumbers.list(AGENT, {}, 100),
      await access.numberPool.list(AGENT, {}, 100),
      await access.voices.list(ACCOUNT),
      await access.audioCache.list(AGENT, { order: 'cachedAt', descending: false, offset: 0, limit: 100 }),
      await access.audioCache.read(AGENT, '1'),
      await access.audioCache.read(AGENT, '2'),
    ],
    tokenKeys: [await access.tokenKeys.list(), await access.tokenKeys.secret('cursor', 'another')],
    agent: await agentSnapshot(agents, AGENT),
    gone: await agents.findDeleted(ACCOUNT, 'PROJECT-GONE'),
    conversations: await Promise.all(CONVERSATIONS.map(id => conversationSnapshot(conversations, id))),
    events: await Promise.all(
      ['event-1', 'event-2', 'event-3'].map(id => conversations.externalEvents.find(id)),
    ),
    endpoints: await webhooks.endpoints.list(ACCOUNT, {}, 100),
    deliveries: [
      await webhooks.deliveries.list({ endpointId: 'ENDPOINT-1' }, 100),
      await webhooks.deliveries.find('ENDPOINT-1', 'EVENT-1'),
      await webhooks.deliveries.find('ENDPOINT-1', 'EVENT-2'),
    ],
    rules: await alerts.rules.list(ACCOUNT),
    counters: await Promise.all(
      (['turn_latency', 'api_errors'] as const).flatMap(name => [
        alerts.counters.sum({ accountId: ACCOUNT, name, from: 0 }),
        alerts.counters.sum({ accountId: ACCOUNT, agentId: AGENT, name, from: START + 1 }),
      ]),
    ),
    pairs: await Promise.all(
      ['+12025550111', '+12025550112', '+12025550113'].map(theirs =>
        conversations.textPairs.find('+12025550100', theirs),
      ),
    ),
    calls: await conversations.outboundCalls.due(START + 90_000, 9),
    audit: await audit.list({}, 100),
  }
}

const total = (counts: Awaited<ReturnType<typeof copyStore>>, name: 'copied' | 'dropped' | 'same'): number =>
  counts.reduce((sum, one) => sum + one[name], 0)

const different = async (one: CopyableStore, other: CopyableStore): Promise<readonly string[]> =>
  (await compareStores(one, other)).filter(part => part.one.hash !== part.other.hash).map(({ part }) => part)

/** What a database, an array or a text of SQL might take for something else. */
const ODD_TEXTS = [
  ...['', ' ', '"', '\\', '{a,"b"}', 'NULL', "it's", '%_', 'a\nb\t', '\u0000', '\u0001', 'a\u0001\u0002b'],
  ...['\uffff', '\u{1f600}', 'é', 'e\u0301', '\u2028'],
]

/** A store whose copies fail at that write. */
function failingAt(store: CopyableStore, write: number): CopyableStore {
  let left = write
  const count = (): void => {
    if (left-- === 0) throw new Error('The target is gone.')
  }
  return {
    ...store,
    copies: {
      ...store.copies,
      take: async (kind, parts) => {
        count()
        await store.copies.take(kind, parts)
      },
      takeConversations: async conversations => {
        count()
        await store.copies.takeConversations(conversations)
      },
    },
  }
}

/**
 * Declares the tests of {@link CopyableStore} for one adapter (rules CY1 to CY7, and CY28): what it takes from another
 * store is there as if it had been written to it.
 *
 *     testCopies('my adapter', { source: openOther, target: openMine })
 */
export function testCopies(name: string, factory: CopyFactory): void {
  const open = async (kind: keyof CopyFactory): Promise<CopyableStore> => {
    const store = await factory[kind]()
    onTestFinished(() => store.close())
    return store
  }

  describe(`${name}: copies`, () => {
    it('CY1 a copy holds all that the store holds, and a platform reads the same from it', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      const counts = await copyStore(from, to)
      expect(total(counts, 'dropped')).toBe(0)
      expect(await different(from, to)).toEqual([])
      expect(await tellOf(to)).toEqual(await tellOf(from))
      expect(counts.every(({ copied }) => copied > 0)).toBe(true)
    })

    it('CY1 a store that is written to after it was copied goes on as the other would have', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      for (const store of [from, to]) {
        const { conversations } = store
        await writeOn(store, 'AS-2', { text: 'Later again', change: { handoff: null, owner: 'ai_agent' } })
        const whose = { accountId: ACCOUNT, agentId: AGENT }
        const [body, contentType] = [new Uint8Array([1, 2]), 'text/plain']
        const event = { eventId: 'event-3', ...whose, contentType, body, receivedAt: START + 1 }
        expect(await conversations.externalEvents.accept(event)).toMatchObject({ status: 'accepted' })
        expect(await conversations.clientEvent('AS-1', ['client-2'])).toMatchObject({ id: 'AS-1-2' })
        expect(await conversations.timers.claimDue(START + 60_001, 10, START + 90_000)).toHaveLength(3)
      }
      expect(await tellOf(to)).toEqual(await tellOf(from))
    })

    it('CY1 what is created after a copy comes after what was copied', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      await writeOn(to, 'AS-4', { text: 'A human', change: { handoff: handoffOf('late'), owner: 'queue' } })
      const waiting = await to.conversations.handoffs.list(ACCOUNT, 'waiting')
      expect(waiting.map(({ conversationId }) => conversationId)).toEqual(['AS-3', 'AS-2', 'AS-4'])
      expect(await to.conversations.handoffs.findShared(ACCOUNT, AGENT, SHARED_ID)).toBe('AS-2')
      expect(await to.alerts.rules.create(anAlertRule('ar_3'), 3)).toBe('created')
      expect(await to.alerts.rules.create(anAlertRule('ar_4'), 3)).toBe('full')
      await to.audit.append(anAuditEntry('AUDIT-3', { at: START + 1 }))
      const { values } = await to.audit.list({}, 10)
      expect(values.map(({ entry }) => entry.id)).toEqual(['AUDIT-3', 'AUDIT-2', 'AUDIT-1'])
      await to.access.tokenKeys.add(aTokenKey(3), START + 200)
      expect((await to.access.tokenKeys.list()).map(({ number }) => number)).toEqual([3, 2, 1])
      const { agents } = to
      const branch = aBranch('BRANCH-3', { agentId: AGENT, baseRevision: 2 })
      await agents.branches.create(branch)
      const commit = aCommit(branch, { revision: 2, deployment: 2 }, [aTopic('three')])
      expect(await agents.revisions.commit(commit)).toBe('committed')
    })

    it('CY1 texts of every kind are the same there', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await begin(from, 'AS-1')
      for (const [at, text] of ODD_TEXTS.entries()) {
        const id = `ODD-${at}`
        await from.access.accounts.create(anAccount(`ws-${at}`, { name: text, slug: `${at}${text}` }))
        await from.access.apiKeys.create(anApiKey(`KEY${text}`, { name: text, hash: `${at}` }))
        await from.access.tokenKeys.secret(`${at}${text}`, text)
        await from.audit.append(anAuditEntry(id, { actor: { type: 'library', id: text, name: text } }))
        await writeOn(from, 'AS-1', { text })
        await begin(from, `${text}${id}`)
        await from.conversations.externalEvents.expect({
          ...{ eventId: `${text}event`, conversationId: `${text}${id}`, accountId: ACCOUNT, agentId: AGENT },
        })
      }
      await copyStore(from, to)
      expect(await different(from, to)).toEqual([])
      expect(total(await copyStore(from, to), 'copied')).toBe(0)
    })

    it('CY2 copied again, only what has changed since is written, and what is gone goes', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      expect(total(await copyStore(from, to), 'copied')).toBe(0)
      await writeOn(from, 'AS-3', {
        text: 'Bye',
        change: { endedAt: START + 99, endReason: 'REASON_USER_END', handoff: null },
      })
      await from.conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')
      await writeOn(from, 'AS-2', { text: 'Soon', wakeAt: START + 10 })
      await from.access.apiKeys.revoke('KEY-1', START + 100)
      await from.agents.create(anAgent('PROJECT-TWO'))
      await from.conversations.externalEvents.expect({
        ...{ eventId: 'event-4', conversationId: 'AS-2', accountId: ACCOUNT, agentId: AGENT },
      })
      const counts = await copyStore(from, to)
      expect(counts.filter(({ copied }) => copied > 0).map(({ part, copied }) => [part, copied])).toEqual([
        ...[
          ['api_key', 1],
          ['agent', 1],
          ['branch', 1],
          ['revision', 1],
          ['resource', 1],
          ['conversation', 2],
        ],
      ])
      expect(total(counts, 'dropped')).toBe(1)
      expect(await different(from, to)).toEqual([])
      expect(await tellOf(to)).toEqual(await tellOf(from))
      for (const { conversations } of [from, to])
        expect(await conversations.timers.claimDue(START + 10, 10, START + 90_000)).toEqual(['AS-4', 'AS-2'])
    })

    it('CY2 an id that was used again is another conversation', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      await from.conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')
      const again = aConversation('AS-1', { startedAt: START + 7_000_000, wakeAt: 5 })
      await from.conversations.create({ ...again, index: projectIndex(again.state) })
      await copyStore(from, to)
      expect(await different(from, to)).toEqual([])
      expect(await tellOf(to)).toEqual(await tellOf(from))
    })

    it('CY2 what was claimed, and what was purged, since a copy is the same after the next one', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      expect(await from.conversations.timers.claimDue(START + 60_001, 10, START + 90_000)).toHaveLength(3)
      expect(await from.audit.remove(START + 1, 10)).toEqual({ removed: 1, more: false })
      await from.audit.append(anAuditEntry('AUDIT-3', { at: START + 2 }))
      await copyStore(from, to)
      expect(await different(from, to)).toEqual([])
      await to.audit.append(anAuditEntry('AUDIT-4', { at: START + 2 }))
      const { values } = await to.audit.list({}, 10)
      expect(values.map(({ entry }) => entry.id)).toEqual(['AUDIT-4', 'AUDIT-3', 'AUDIT-2'])
    })

    it('CY3 wherever a copy is interrupted, the next one brings the rest', async () => {
      const from = await open('source')
      await fill(from)
      for (let write = 0; write < 18; write += 2) {
        const to = await factory.target()
        const counts = await copyStore(from, failingAt(to, write)).catch(() => null)
        if (counts === null) await copyStore(from, to)
        expect(await different(from, to)).toEqual([])
        await to.close()
      }
    })

    it('CY4 a comparison names what is not the same', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fill(from)
      await copyStore(from, to)
      await to.access.apiKeys.touch('KEY-2', START + 500, 1)
      await writeOn(to, 'AS-4', { text: 'Only here' })
      expect(await different(from, to)).toEqual(['api_key', 'conversation'])
      const counts = (await compareStores(from, to)).find(({ part }) => part === 'conversation')
      expect(counts?.one.count).toBe(CONVERSATIONS.length)
    })

    it('CY6 a store that holds the data of another one is refused, and left as it is', async () => {
      const [from, to] = [await open('source'), await open('target')]
      expect(await examineTarget(from, to)).toEqual({ state: 'empty', onlyThere: 0 })
      await from.access.accounts.create(anAccount())
      await to.access.accounts.create(anAccount('ws-other'))
      await begin(to, 'AS-9')
      expect(await examineTarget(from, to)).toMatchObject({ state: 'another' })
      await expect(copyStore(from, to)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
      expect(await to.conversations.load('AS-9')).not.toBeNull()
      expect(await to.access.accounts.list({}, 10)).toEqual([anAccount('ws-other')])
    })

    it('CY28 a store is marked from the first write of a copy until it is whole, wherever that is cut off', async () => {
      const isMarked = async ({ copies }: CopyableStore): Promise<boolean> =>
        (await copies.page('secret', null, { count: 100, bytes: 1_048_576 })).some(
          ({ name }) => name === UNFINISHED_COPY,
        )
      const from = await open('source')
      await fill(from)
      for (let write = 0, cut = true; cut; write += 3) {
        const to = await open('target')
        cut = await copyStore(from, failingAt(to, write)).then(
          () => false,
          () => true,
        )
        // Nothing was written before the mark.
        expect(await isMarked(to), `cut off at write ${write}`).toBe(cut && write > 0)
        expect(await isMarked(from)).toBe(false)
        if (cut && write > 0)
          await expect(copyStore(to, from)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
        await copyStore(from, to)
        expect(await isMarked(to)).toBe(false)
        expect(await different(from, to)).toEqual([])
      }
    })

    it('CY28 the mark is no part: a target that holds it alone is empty, and a comparison leaves it out', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await to.copies.take('secret', [{ name: UNFINISHED_COPY, value: 'yes', version: 1 }])
      expect((await examineTarget(from, to)).state).toBe('empty')
      expect(await different(from, to)).toEqual([])
    })

    it('CY7 a store that went on after it was copied is refused, whoever wrote to it', async () => {
      for (const goOn of [
        (store: CopyableStore) => writeOn(store, 'AS-4', { text: 'Only here' }),
        (store: CopyableStore) => store.audit.append(anAuditEntry('AUDIT-3', { at: START + 9 })),
      ]) {
        const [from, to] = [await open('source'), await open('target')]
        await fill(from)
        await copyStore(from, to)
        await begin(to, 'AS-5')
        expect(await examineTarget(from, to)).toEqual({ state: 'earlier', onlyThere: 1 })
        await goOn(to)
        expect(await examineTarget(from, to)).toEqual({ state: 'later', onlyThere: 1 })
        await expect(copyStore(from, to)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
        expect(await to.conversations.load('AS-5')).not.toBeNull()
      }
    })

    it('CY5 after any writes and copies in between the last copy is complete', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }), async steps => {
          const [from, to] = [await factory.source(), await factory.target()]
          try {
            await fillAgents(from)
            for (const [at, step] of steps.entries()) {
              const id = `AS-${(at % 4) + 1}`
              if (step === 0) await copyStore(from, to)
              else if (step === 1) await begin(from, id, START + at)
              else if (step === 2) await from.conversations.removals.remove(ACCOUNT, AGENT, id)
              else if (step === 3)
                await writeOn(from, id, {
                  text: `Bye ${at}`,
                  change: { endedAt: START + at, endReason: 'REASON_USER_END' },
                })
              else if (step === 4)
                await writeOn(from, id, { text: `Help ${at}`, change: { handoff: handoffOf(`queue-${at}`) } })
              else await writeOn(from, id, { text: `Text ${at}` })
            }
            await copyStore(from, to)
            expect(await different(from, to)).toEqual([])
            for (const id of CONVERSATIONS)
              expect(await conversationSnapshot(to.conversations, id)).toEqual(
                await conversationSnapshot(from.conversations, id),
              )
          } finally {
            await Promise.all([from.close(), to.close()])
          }
        }),
        { numRuns: 12 },
      )
    })
  })
}
