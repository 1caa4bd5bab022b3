import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { projectIndex } from '../../../../domain/conversation/project-record.ts'
import { type CopyableStore, UNFINISHED_COPY } from '../../../../store/copies.ts'
import { compareStores } from '../../../../usecases/copying/compare-stores.ts'
import { copyStore } from '../../../../usecases/copying/copy-store.ts'
import { examineTarget } from '../../../../usecases/copying/examine-target.ts'
import { aConversation } from '../../../conversation-fixtures.ts'
import {
  begin,
  CONVERSATIONS,
  fillAgents,
  fillStore,
  fillWithTexts,
  handoffOf,
  SHARED_ID,
  writeOn,
} from '../../../filled-store.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  anAccount,
  anAgent,
  anAlertRule,
  anAuditEntry,
  aTokenKey,
  aTopic,
  START,
} from '../../../fixtures.ts'
import { conversationSnapshot } from '../conversation-snapshot.ts'
import { tellOf } from '../told.ts'

/** The contract's access to two stores between which it copies. */
export interface CopyFactory {
  /** A new store that holds nothing. */
  source(): Promise<CopyableStore>
  /** One of the adapter under test, which holds nothing either. */
  target(): Promise<CopyableStore>
}

const total = (counts: Awaited<ReturnType<typeof copyStore>>, name: 'copied' | 'dropped' | 'same'): number =>
  counts.reduce((sum, one) => sum + one[name], 0)

const different = async (one: CopyableStore, other: CopyableStore): Promise<readonly string[]> =>
  (await compareStores(one, other)).filter(part => part.one.hash !== part.other.hash).map(({ part }) => part)

/** Texts that a database, an array or an SQL text might misread. */
const ODD_TEXTS = [
  ...['', ' ', '"', '\\', '{a,"b"}', 'NULL', "it's", '%_', 'a\nb\t', '\u0000', '\u0001', 'a\u0001\u0002b'],
  ...['\uffff', '\u{1f600}', 'é', 'e\u0301', '\u2028'],
]

/** Returns a store whose copies fail at that write. */
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
 * Declares the tests of {@link CopyableStore} for one adapter (rules CY1 to CY28, and CY28): what it takes from another
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
      await fillStore(from)
      const counts = await copyStore(from, to)
      expect(total(counts, 'dropped')).toBe(0)
      expect(await different(from, to)).toEqual([])
      expect(await tellOf(to)).toEqual(await tellOf(from))
      expect(counts.every(({ copied }) => copied > 0)).toBe(true)
    })

    it('CY1 a store that is written to after it was copied goes on as the other would have', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fillStore(from)
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
      await fillStore(from)
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
      await fillWithTexts(from, ODD_TEXTS)
      await copyStore(from, to)
      expect(await different(from, to)).toEqual([])
      expect(total(await copyStore(from, to), 'copied')).toBe(0)
    })

    it('CY2 copied again, only what has changed since is written, and what is gone goes', async () => {
      const [from, to] = [await open('source'), await open('target')]
      await fillStore(from)
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
          ['file_removal', 2],
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
      await fillStore(from)
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
      await fillStore(from)
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

    it('CY2 wherever a copy is interrupted, the next one brings the rest', async () => {
      const from = await open('source')
      await fillStore(from)
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
      await fillStore(from)
      await copyStore(from, to)
      await to.access.apiKeys.touch('KEY-2', START + 500, 1)
      await writeOn(to, 'AS-4', { text: 'Only here' })
      expect(await different(from, to)).toEqual(['api_key', 'conversation'])
      const counts = (await compareStores(from, to)).find(({ part }) => part === 'conversation')
      expect(counts?.one.count).toBe(CONVERSATIONS.length)
    })

    it('CY28 a store that holds the data of another one is refused, and left as it is', async () => {
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
      await fillStore(from)
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

    it('CY28 a store that went on after it was copied is refused, whoever wrote to it', async () => {
      for (const goOn of [
        (store: CopyableStore) => writeOn(store, 'AS-4', { text: 'Only here' }),
        (store: CopyableStore) => store.audit.append(anAuditEntry('AUDIT-3', { at: START + 9 })),
      ]) {
        const [from, to] = [await open('source'), await open('target')]
        await fillStore(from)
        await copyStore(from, to)
        await begin(to, 'AS-5')
        expect(await examineTarget(from, to)).toEqual({ state: 'earlier', onlyThere: 1 })
        await goOn(to)
        expect(await examineTarget(from, to)).toEqual({ state: 'later', onlyThere: 1 })
        await expect(copyStore(from, to)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
        expect(await to.conversations.load('AS-5')).not.toBeNull()
      }
    })

    it('CY2 after any writes and copies in between the last copy is complete', async () => {
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
