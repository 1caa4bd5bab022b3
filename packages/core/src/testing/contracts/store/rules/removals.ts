import { describe, expect, it } from 'vitest'
import type { StoredTurn } from '../../../../domain/conversation/record.ts'
import { wordsOf } from '../../../../domain/conversation/turn-words.ts'
import type { ConversationStore } from '../../../../ports/store/conversations.ts'
import {
  aConversation,
  anAppend,
  anEvent,
  aTurn,
  type ConversationFixture,
} from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../../fixtures.ts'
import { conversationSnapshot } from '../conversation-snapshot.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const OTHER_ACCOUNT = 'ws-other'
const OTHER_AGENT = 'PROJECT-OTHER'
const LATE = Number.MAX_SAFE_INTEGER

/** Returns a conversation that finished this long after `START`, with a log of its own. */
const finished = (id: string, after = 1, values: ConversationFixture = {}) =>
  aConversation(id, {
    events: [anEvent({ id: `${id}-1`, clientEventId: 'first' }), anEvent({ id: `${id}-2` })],
    ...{ turns: [aTurn(`${id} one`), aTurn(`${id} two`)], ...values },
    index: { finishedAt: START + after, ...values.index },
  })

/** Removes all selected conversations, and returns the count of each step. */
async function removeAll(
  { removals }: ConversationStore,
  before = LATE,
  limit = 100,
): Promise<readonly number[]> {
  const steps: number[] = []
  for (let more = true; more; ) {
    const step = await removals.removeFinished(LIVE, before, limit)
    steps.push(step.removed)
    more = step.more
  }
  return steps
}

/** Tests of removing conversations (SC113). Tests of their owned documents are in `belongings.ts`. */
export function describeRemovals(factory: StoreFactory): void {
  const open = async (...created: readonly Parameters<ConversationStore['create']>[0][]) => {
    const { conversations } = await openForTest(factory)
    for (const one of created) expect(await conversations.create(one)).toBe('created')
    const there = async (): Promise<readonly string[]> => {
      const ids = created.map(({ conversationId }) => conversationId)
      const versions = await Promise.all(ids.map(id => conversations.version(id)))
      return ids.filter((_, at) => versions[at] !== null)
    }
    return { conversations, there }
  }

  describe('removals', () => {
    it('SC113 what finished before the moment goes, listed or not, of that account, agent and environment alone', async () => {
      const { conversations, there } = await open(
        ...[finished('before', 9), finished('debug', 9, { index: { listed: false } })],
        ...[finished('at', 10), finished('after', 11), finished('account', 1, { accountId: OTHER_ACCOUNT })],
        ...[
          finished('agent', 1, { agentId: OTHER_AGENT }),
          finished('environment', 1, { environment: 'sandbox' }),
        ],
      )
      const scopes = async () =>
        (await conversations.removals.scopes())
          .map(scope => Object.values(scope).toSorted().join(' '))
          .toSorted()
      const all = [
        LIVE,
        { ...LIVE, accountId: OTHER_ACCOUNT },
        { ...LIVE, agentId: OTHER_AGENT },
        { ...LIVE, environment: 'sandbox' },
      ]
      expect(await scopes()).toEqual(all.map(scope => Object.values(scope).toSorted().join(' ')).toSorted())
      const remove = (scope: typeof LIVE = LIVE) =>
        conversations.removals.removeFinished(scope, START + 10, 100)
      expect(
        await conversations.removals.removeFinished({ ...LIVE, agentId: 'PROJECT-NOBODY' }, LATE, 9),
      ).toEqual({ removed: 0, more: false })
      expect([await remove(), await remove()]).toEqual([
        { removed: 2, more: false },
        { removed: 0, more: false },
      ])
      expect(await there()).toEqual(['at', 'after', 'account', 'agent', 'environment'])
    })

    it('SC113 the longest finished go first, at most the limit; `more` says whether some are left', async () => {
      const { conversations, there } = await open(
        ...[5, 3, 1, 4, 2].map(after => finished(`AS-${after}`, after)),
      )
      const remove = () => conversations.removals.removeFinished(LIVE, START + 5, 2)
      expect([await remove(), await there()]).toEqual([{ removed: 2, more: true }, ['AS-5', 'AS-3', 'AS-4']])
      expect([await remove(), await there()]).toEqual([{ removed: 2, more: false }, ['AS-5']])
    })

    it('SC113 one in progress stays, and one that is still to be woken, whole', async () => {
      const inProgress = { index: { finishedAt: null } }
      const [busy, never] = [
        finished('AS-busy', 1, { wakeAt: START + 5 }),
        finished('AS-never', 1, inProgress),
      ]
      const { conversations, there } = await open(
        busy,
        never,
        finished('AS-open', 1, { ...inProgress, wakeAt: START }),
      )
      const before = await conversationSnapshot(conversations, 'AS-busy')
      expect(await removeAll(conversations)).toEqual([0])
      expect(await conversationSnapshot(conversations, 'AS-busy')).toEqual(before)
      await conversations.timers.claimDue(START + 5, 100, START + 50)
      expect(await removeAll(conversations)).toEqual([0])
      for (const id of ['AS-busy', 'AS-open'])
        expect(await conversations.removals.remove(ACCOUNT, AGENT, id)).toBe('in_progress')
      await conversations.append(anAppend(busy, 1, { events: [], wakeAt: null }))
      await conversations.append(anAppend(never, 1, { index: { finishedAt: START + 2 } }))
      expect([await removeAll(conversations), await there()]).toEqual([[2], ['AS-open']])
    })

    it('SC113 of an append and a removal the first wins, and what it leaves is whole', async () => {
      for (let round = 0; round < 10; round++) {
        const { conversations } = await open(finished('AS-1'))
        const append = anAppend(finished('AS-1'), 1, { index: { finishedAt: null }, turns: [aTurn('more')] })
        const calls = [
          async () => (await conversations.append(append)).status,
          async () => (await conversations.removals.removeFinished(LIVE, LATE, 1)).removed,
        ]
        const first = round % 2
        const results = await Promise.all([calls[first], calls[1 - first]].map(call => call?.()))
        const isRemoved = results.includes(1)
        expect(first === 0 ? results : results.toReversed()).toEqual(
          isRemoved ? ['stale', 1] : ['appended', 0],
        )
        const { events, open: left, stored, turns } = await conversationSnapshot(conversations, 'AS-1')
        expect([stored?.version, events.length, turns.length, left]).toEqual(
          isRemoved ? [undefined, 0, 0, []] : [2, 3, 3, ['AS-1']],
        )
      }
    })

    it('SC113 racing removals count each conversation once', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `AS-${index}`)
      const { conversations, there } = await open(...ids.map((id, index) => finished(id, index)))
      const counts = await race(async racer => {
        if (racer % 2 === 0) return (await removeAll(conversations, LATE, 3)).reduce((sum, n) => sum + n, 0)
        let removed = 0
        for (const id of ids)
          if ((await conversations.removals.remove(ACCOUNT, AGENT, id)) === 'removed') removed++
        return removed
      })
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(ids.length)
      expect(await there()).toEqual([])
    })

    it('SC113 one is removed by its account, agent and id; listed or not, whatever its environment', async () => {
      const hidden = { environment: 'sandbox', index: { listed: false } } as const
      const { conversations, there } = await open(
        finished('AS-1'),
        finished('AS-2', 1, hidden),
        finished('AS-3'),
      )
      const remove = (id: string, accountId = ACCOUNT, agentId = AGENT) =>
        conversations.removals.remove(accountId, agentId, id)
      expect([
        await remove('AS-1', OTHER_ACCOUNT),
        await remove('AS-1', ACCOUNT, OTHER_AGENT),
        await remove('AS-9'),
      ]).toEqual(['missing', 'missing', 'missing'])
      for (const id of ['AS-1', 'AS-2'])
        expect([await remove(id), await remove(id)]).toEqual(['removed', 'missing'])
      expect(await there()).toEqual(['AS-3'])
    })

    describeRecordings(open)
  })
}

/** A turn that can be replayed, without that. */
const PLAIN = aTurn('When?')
const RECORDED: StoredTurn = {
  record: PLAIN.record,
  details: { ...PLAIN.details, recording: { sequence: 1, now: START }, function_effects: [[]] },
}

/** Returns a conversation of so many recorded turns that finished this long after `START`. */
const recorded = (id: string, after: number, turns = 1, values: ConversationFixture = {}) =>
  finished(id, after, { turns: Array.from({ length: turns }, () => RECORDED), ...values })

/** Tests of recordings that are removed before their conversations (SC114). */
function describeRecordings(
  open: (...created: readonly Parameters<ConversationStore['create']>[0][]) => Promise<{
    readonly conversations: ConversationStore
  }>,
): void {
  const left = async ({ turns }: ConversationStore, id: string): Promise<number> =>
    (await turns(id)).filter(({ details }) => details.recording !== undefined).length

  it('SC114 recordings of what finished before the moment go, whatever its scope, and nothing else', async () => {
    const hidden = { environment: 'sandbox', index: { listed: false } } as const
    const { conversations } = await open(
      recorded('before', 9, 2),
      recorded('at', 10),
      ...[recorded('other', 1, 1, { accountId: OTHER_ACCOUNT }), recorded('hidden', 1, 1, hidden)],
      recorded('open', 1, 1, { index: { finishedAt: null } }),
      finished('plain', 1),
    )
    const before = await conversationSnapshot(conversations, 'before')
    const { removals } = conversations
    expect(await removals.forgetTurnRecordings(START + 10, 100)).toEqual({ turns: 4, more: false })
    expect(await removals.forgetTurnRecordings(START + 10, 100)).toEqual({ turns: 0, more: false })
    const now = await conversationSnapshot(conversations, 'before')
    expect(now).toEqual({ ...before, turns: [PLAIN, PLAIN] })
    for (const id of ['other', 'hidden']) expect(await left(conversations, id)).toBe(0)
    for (const id of ['at', 'open']) expect(await left(conversations, id)).toBe(1)
    expect(await conversations.turns('plain')).toEqual([aTurn('plain one'), aTurn('plain two')])
    const words = { words: wordsOf('When'), speaker: 'user' } as const
    const found = await conversations.records.list({ ...LIVE, words }, { offset: 0 }, 9)
    expect(found.records.map(({ id }) => id).toSorted()).toEqual(['at', 'before', 'open'])
  })

  it('SC114 the longest finished go first, a bounded number of turns at a time', async () => {
    const { conversations } = await open(recorded('AS-3', 3), recorded('AS-1', 1, 5), recorded('AS-2', 2, 2))
    const step = () => conversations.removals.forgetTurnRecordings(LATE, 3)
    const counts = async () => Promise.all(['AS-1', 'AS-2', 'AS-3'].map(id => left(conversations, id)))
    expect([await step(), await counts()]).toEqual([{ turns: 3, more: true }, [2, 2, 1]])
    expect([await step(), await counts()]).toEqual([{ turns: 3, more: true }, [0, 1, 1]])
    expect([await step(), await counts()]).toEqual([{ turns: 2, more: false }, [0, 0, 0]])
  })

  it('SC114 a conversation that goes on again keeps them, until it has finished again', async () => {
    const { conversations } = await open(recorded('AS-1', 1))
    const went = recorded('AS-1', 1)
    await conversations.append(anAppend(went, 1, { index: { finishedAt: null }, turns: [RECORDED] }))
    expect(await conversations.removals.forgetTurnRecordings(LATE, 9)).toEqual({ turns: 0, more: false })
    await conversations.append(anAppend(went, 2, { events: [], index: { finishedAt: START + 2 } }))
    expect(await conversations.removals.forgetTurnRecordings(START + 2, 9)).toEqual({ turns: 0, more: false })
    expect(await conversations.removals.forgetTurnRecordings(START + 3, 9)).toEqual({ turns: 2, more: false })
    expect(await conversations.turns('AS-1')).toEqual([PLAIN, PLAIN])
    expect(await conversations.version('AS-1')).toBe(3)
  })

  it('SC114 a conversation of many turns that finishes later is found too', async () => {
    const { conversations } = await open(recorded('AS-1', 1, 250, { index: { finishedAt: null } }))
    const long = recorded('AS-1', 1, 250)
    await conversations.append(anAppend(long, 1, { events: [], index: { finishedAt: START + 1 } }))
    const turns: number[] = []
    for (let more = true; more; ) {
      const step = await conversations.removals.forgetTurnRecordings(LATE, 100)
      turns.push(step.turns)
      more = step.more
    }
    expect(turns).toEqual([100, 100, 50])
    expect(await left(conversations, 'AS-1')).toBe(0)
  })

  it('SC114 of racing callers each turn is counted by one, and a removal leaves nothing', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `AS-${at}`)
    const { conversations } = await open(...ids.map((id, at) => recorded(id, at, 3)))
    const counts = await race(async () => {
      let sum = 0
      for (let more = true; more; ) {
        const step = await conversations.removals.forgetTurnRecordings(LATE, 4)
        sum += step.turns
        more = step.more
      }
      return sum
    })
    expect(counts.reduce((sum, turns) => sum + turns, 0)).toBe(60)
    const { conversations: others } = await open(...ids.map((id, at) => recorded(id, at, 3)))
    await race(async racer => {
      if (racer % 2 === 0) await removeAll(others, LATE, 3)
      else await others.removals.forgetTurnRecordings(LATE, 4)
    })
    await removeAll(others)
    for (const id of ids) expect(await others.turns(id)).toEqual([])
    expect(await others.removals.forgetTurnRecordings(LATE, 9)).toEqual({ turns: 0, more: false })
  })
}
