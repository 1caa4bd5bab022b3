import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createMemoryDocuments } from '../../src/memory/index.ts'
import { CONVERSATION_KINDS, CONVERSATION_STATE, STEP } from '../../src/store/conversations/kinds.ts'
import type { Documents, Kind } from '../../src/store/documents.ts'
import { storeOver } from '../../src/store/groups.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../src/testing/conversation-fixtures.ts'
import { ACCOUNT, AGENT, aFile, START } from '../../src/testing/fixtures.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const MODEL = 'toy@1'
const FINISHED = { index: { finishedAt: START + 1 } }

/** A process with a store over these documents; its turns get places from there on. */
function processOver(documents: Documents, from = 1_000_000_000) {
  let last = from
  return storeOver(documents, { nextSequence: () => ++last, random: Math.random }, async () => {})
}

/** One whose log goes in steps. */
const LONG_TALK = {
  ...FINISHED,
  events: Array.from({ length: 1_200 }, (_, at) => anEvent({ id: `e-${at}`, clientEventId: `c-${at}` })),
  turns: [aTurn('secret words')],
}

const everything = { count: 1_000, bytes: Number.MAX_SAFE_INTEGER }

/** Documents of a process that is killed before its nth write. */
function killedAt(documents: Documents, writes: number): Documents {
  let left = writes
  return {
    ...documents,
    async write(batch) {
      if (left-- <= 0) throw new Error('The process was killed.')
      return documents.write(batch)
    },
  }
}

/** How many documents of conversations there are, by their kinds. */
async function leftIn({ scan }: Documents): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const kind of CONVERSATION_KINDS as readonly Kind<unknown>[]) {
    const counts = await Promise.all(
      Object.keys(kind.indexes).map(async index => (await scan(kind, index, { prefix: [] })).length),
    )
    if (Math.max(0, ...counts) > 0) found[kind.name] = Math.max(...counts)
  }
  return found
}

test('SX218 processes that write in turn see what the others wrote, whoever remembers what', async () => {
  const step = fc.oneof(
    fc.record({ by: fc.nat({ max: 1 }), what: fc.constantFrom('append', 'other version', 'event') }),
    fc.record({
      by: fc.nat({ max: 1 }),
      what: fc.constant('index'),
      channel: fc.constantFrom('chat', 'sms'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14, size: 'max' }), async steps => {
      const documents = createMemoryDocuments()
      const processes = [processOver(documents), processOver(documents)]
      const at = (by: number) => processes[by]?.conversations ?? expect.unreachable()
      const created = aConversation('AS-1', { index: { channel: 'chat' } })
      await at(0).create(created)
      let index = created.index
      let [version, events, pending] = [1, 1, 0]
      for (const [nth, one] of steps.entries()) {
        const { by, what } = one
        const event = anEvent({ id: `e-${nth}`, clientEventId: `c-${nth}` })
        if (what === 'event') {
          const expected = { eventId: `x-${nth}`, conversationId: 'AS-1', accountId: ACCOUNT, agentId: AGENT }
          await at(by).externalEvents.expect(expected)
          await at(1 - by).externalEvents.accept({
            ...expected,
            contentType: 'text/plain',
            body: new Uint8Array([nth]),
            receivedAt: START,
          })
          version++
          pending++
          continue
        }
        if ('channel' in one) index = { ...index, channel: one.channel }
        const expectedVersion = what === 'other version' ? version - 1 : version
        const append = anAppend({ ...created, index }, expectedVersion, { events: [event] })
        const result = await at(by).append({ ...append, index: 'channel' in one ? index : null })
        expect(result).toEqual({ status: what === 'other version' ? 'stale' : 'appended' })
        if (what === 'other version') continue
        version++
        events++
        expect(await at(1 - by).append({ ...append, expectedVersion: version })).toEqual({
          status: 'duplicate',
          sequence: events,
        })
      }
      for (const { conversations } of processes) {
        const held = await conversations.load('AS-1')
        expect([held?.version, held?.pendingExternalEvents.length]).toEqual([version, pending])
        expect((await conversations.eventPage('AS-1', 0, everything)).events).toHaveLength(events)
        const listed = await conversations.records.list(
          { ...LIVE, channels: [index.channel] },
          { offset: 0 },
          9,
        )
        expect(listed.records.map(({ id }) => id)).toEqual(['AS-1'])
      }
    }),
    { numRuns: 60 },
  )
})

test('a long log goes in steps: wherever that is cut off, nothing of it is found, and the rest goes', async () => {
  for (let writes = 0; ; writes++) {
    const documents = createMemoryDocuments()
    const { conversations } = processOver(documents)
    await conversations.create(aConversation('AS-1', LONG_TALK))
    const scopeAlone = { conversation_scope: 1 }
    const killed = processOver(killedAt(documents, writes)).conversations
    const outcome = await killed.removals.remove(ACCOUNT, AGENT, 'AS-1').catch(() => 'killed')
    if (writes > 0) {
      expect(await conversations.load('AS-1')).toBeNull()
      expect((await conversations.eventPage('AS-1', 0, everything)).events).toEqual([])
      expect(await conversations.turns('AS-1')).toEqual([])
      const words = { words: ['secret'], speaker: 'either' } as const
      expect((await conversations.records.list({ ...LIVE, words }, { offset: 0 }, 9)).records).toEqual([])
    }
    if (writes % 2 === 1) {
      // The id is used again: nothing of the log before is in the new one.
      expect(await conversations.create(aConversation('AS-1', { turns: [aTurn('public')] }))).toBe('created')
      expect((await conversations.eventPage('AS-1', 0, everything)).events).toHaveLength(1)
      expect(await conversations.clientEvent('AS-1', ['c-7'])).toBeNull()
      expect(await conversations.turns('AS-1')).toHaveLength(1)
    } else {
      while ((await conversations.removals.removeFinished(LIVE, START + 9, 10)).more);
      expect(await leftIn(documents)).toEqual(scopeAlone)
    }
    if (outcome === 'removed') break
  }
})

test('who still removes a log takes nothing of a conversation that has its id by then', async () => {
  for (let writes = 1; writes < 12; writes++) {
    const documents = createMemoryDocuments()
    const { conversations } = processOver(documents)
    await conversations.create(aConversation('AS-1', LONG_TALK))
    let goOn = (): void => expect.unreachable()
    const gate = new Promise<void>(resolve => {
      goOn = resolve
    })
    let left = writes
    const slow = processOver({
      ...documents,
      async write(batch) {
        if (left-- === 0) await gate
        return documents.write(batch)
      },
    }).conversations
    const removing = slow.removals.remove(ACCOUNT, AGENT, 'AS-1')
    await vi.waitUntil(async () => (await conversations.load('AS-1')) === null)
    const events = ['a', 'b', 'c'].map(id => anEvent({ id, clientEventId: id }))
    expect(await conversations.create(aConversation('AS-1', { events, turns: [aTurn('public')] }))).toBe(
      'created',
    )
    goOn()
    expect(await removing).toBe('removed')
    expect((await conversations.eventPage('AS-1', 0, everything)).events).toHaveLength(3)
    expect(await conversations.clientEvent('AS-1', ['b'])).toMatchObject({ sequence: 2 })
    const words = { words: ['public'], speaker: 'either' } as const
    expect((await conversations.records.list({ ...LIVE, words }, { offset: 0 }, 9)).records).toHaveLength(1)
    expect((await conversations.turnPage('AS-1', 0, 9_999)).turns).toHaveLength(1)
  }
})

test('a turn is embedded also where its place is that of another one, or comes behind later ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ by: fc.nat({ max: 2 }), embed: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, limit) => {
        const documents = createMemoryDocuments()
        // The clocks of two are the same, and that of the third is half a minute behind.
        const processes = [0, 0, -30_000_000].map(late => processOver(documents, 5_000_000_000 + late))
        const { turnVectors } = processes[0]?.conversations ?? expect.unreachable()
        async function embed(): Promise<void> {
          for (let now = START; ; now++) {
            const claim = await turnVectors.claim(MODEL, limit, now, now + 1)
            if (claim === null) return
            const vectors = claim.turns.map(({ turn, user }) => ({
              turn,
              user: new TextEncoder().encode(user),
              agent: null,
            }))
            await turnVectors.keep(MODEL, claim.claim, vectors)
          }
        }
        for (const [nth, { by, embed: now }] of steps.entries()) {
          const turns = [aTurn(`first ${nth}`), aTurn(`second ${nth}`)]
          await processes[by]?.conversations.create(aConversation(`AS-${100 + nth}`, { turns }))
          if (now) await embed()
        }
        await embed()
        const { conversations } = await turnVectors.next(MODEL, LIVE, null, 100)
        expect(
          conversations.map(({ id, turns }) => [
            id,
            ...turns.map(({ user }) => new TextDecoder().decode(user ?? undefined)),
          ]),
        ).toEqual(steps.map((_, nth) => [`AS-${100 + nth}`, `first ${nth}`, `second ${nth}`]))
      },
    ),
    { numRuns: 60 },
  )
})

test('each write adds one step, and changes none that has events', async () => {
  const documents = createMemoryDocuments()
  const { conversations } = processOver(documents)
  const created = aConversation('AS-1')
  await conversations.create(created)
  const two = [anEvent({ id: 'e-1' }), anEvent({ id: 'e-2' })]
  const writes = [[], [], two, [], [anEvent({ id: 'e-3' })], []]
  const stepsNow = () => documents.scan(STEP, 'log', { prefix: [] })
  for (const [at, events] of writes.entries()) {
    const before = await stepsNow()
    const append = anAppend(created, at + 1, { events })
    expect(await conversations.append(append)).toEqual({ status: 'appended' })
    const stay = before.filter(({ added }) => added.length > 0)
    const after = await stepsNow()
    expect(after.slice(0, -1)).toEqual(stay)
    expect(after.at(-1)).toMatchObject({
      version: at + 2,
      added: events.map(({ id }) => ({ event: { id } })),
    })
  }
  expect((await stepsNow()).map(({ added, first }) => [first, added.length])).toEqual([
    [1, 1],
    [2, 2],
    [4, 1],
    [5, 0],
  ])
  const after = async (sequence: number) =>
    (await conversations.eventPage('AS-1', sequence, everything)).events.map(one => one.sequence)
  for (const sequence of [0, 1, 2, 3, 4, 5])
    expect(await after(sequence)).toEqual([1, 2, 3, 4].filter(one => one > sequence))
})

test('what was decided on a long conversation adds nothing to its log once that is being removed', async () => {
  const documents = createMemoryDocuments()
  const created = aConversation('AS-1', LONG_TALK)
  await processOver(documents).conversations.create(created)
  let left: readonly unknown[] | null = null
  const { conversations } = processOver({
    ...documents,
    async write(batch) {
      if (left === null) {
        // Another process takes the conversation, and then ends.
        const other = processOver(killedAt(documents, 1)).conversations
        await expect(other.removals.remove(ACCOUNT, AGENT, 'AS-1')).rejects.toThrow('The process was killed.')
        left = await documents.scan(STEP, 'log', { prefix: [] })
      }
      return documents.write(batch)
    },
  })
  const append = anAppend(created, 1, { events: [anEvent({ id: 'late' })] })
  expect(await conversations.append(append)).toEqual({ status: 'stale' })
  expect(await documents.scan(STEP, 'log', { prefix: [] })).toEqual(left)
  expect(left).not.toEqual([])
})

test('a store whose documents of a conversation do not belong together says so, and does not look forever', async () => {
  const clear = [{ kind: STEP as Kind<never>, index: 'log', prefix: [] }]
  const remove = [{ kind: CONVERSATION_STATE as Kind<never>, id: 'AS-1' }]
  for (const gone of [{ remove }, { clear }]) {
    const documents = createMemoryDocuments()
    const created = aConversation('AS-1')
    await processOver(documents).conversations.create(created)
    await documents.write({ when: [], ...gone })
    // Another process, which remembers nothing.
    const { conversations } = processOver(documents, 2_000_000_000)
    await expect(conversations.append(anAppend(created, 1))).rejects.toThrow('The store is damaged')
    await expect(conversations.load('AS-1')).rejects.toThrow('The store is damaged')
  }
})

test('FI11 of files that change places while their conversation is removed no bytes stay', async () => {
  const documents = createMemoryDocuments()
  const other = processOver(documents)
  const { files } = other.conversations
  const bounds = { files: 9, bytes: 9_999 }
  const add = async (id: string, due: number) => {
    await files.expect(id, due)
    expect(await files.add(aFile(id), bounds)).toBe('added')
  }
  const { conversationId, from } = aFile('old')
  await other.conversations.create(aConversation(conversationId, { ...FINISHED, wakeAt: null }))
  await add('old', START)
  let meanwhile: (() => Promise<void>) | null = async () => {
    meanwhile = null
    expect(await files.takeDue(START, 9)).toEqual(['old'])
    await files.forget(['old'])
    await add('new', START + 9)
    expect(await files.name(conversationId, from, ['new'])).toHaveLength(1)
  }
  const slow = processOver({
    ...documents,
    async write(batch) {
      await meanwhile?.()
      return documents.write(batch)
    },
  })
  expect(await slow.conversations.removals.remove(ACCOUNT, AGENT, conversationId)).toBe('removed')
  expect(meanwhile).toBeNull()
  expect(await files.find('new')).toBeNull()
  expect(await files.takeDue(START + 99, 9)).toEqual(['new'])
})
