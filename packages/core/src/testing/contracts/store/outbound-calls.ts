import { describe, expect, it } from 'vitest'
import { aConversation } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, anAgent, anOutboundCall, START } from '../../fixtures.ts'
import {
  count,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const ID = 'OUT-1'

/** Rules SC180 to SC186: outbound calls. */
export function describeOutboundCalls(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations.outboundCalls

  describe('outbound calls', () => {
    it('SC180 a call is found by its id, exactly as it was saved, and replaced by who knows its version', async () => {
      const calls = await open()
      const call = anOutboundCall(ID, { metadata: { order: '12' }, variantId: 'VARIANT-1' })
      expect(await calls.find(ID)).toBeNull()
      expect(await calls.save({ ...call, version: 2 }, 1)).toBe('stale')
      expect(await calls.save(frozen(call), 0)).toBe('saved')
      expect(await calls.find(ID)).toEqual(call)
      expect(await calls.save(call, 0)).toBe('stale')
      const next = anOutboundCall(ID, { phase: 'failed', reason: 'Busy.', endedAt: START, version: 2 })
      expect(await calls.save({ ...next, version: 3 }, 2)).toBe('stale')
      expect(await calls.save(next, 1)).toBe('saved')
      expect(await calls.find(ID)).toEqual(next)
    })

    it('SC181 of racers for one version of a call one wins, also for one that is not there yet', async () => {
      const calls = await open()
      for (const version of [1, 2]) {
        const results = await race(racer =>
          calls.save(anOutboundCall(ID, { reason: `${racer}`, version }), version - 1),
        )
        expect(count(results, 'saved')).toBe(1)
        expect(count(results, 'stale')).toBe(RACERS - 1)
      }
    })

    it('SC182 calls that are due are listed, earliest first', async () => {
      const calls = await open()
      for (const [index, dueAt] of [30, 10, 40, 20].entries())
        await calls.save(anOutboundCall(`OUT-${index}`, { dueAt: START + dueAt }), 0)
      expect(await calls.due(START + 9, 9)).toEqual([])
      expect((await calls.due(START + 30, 9)).map(({ id }) => id)).toEqual(['OUT-1', 'OUT-3', 'OUT-0'])
      expect((await calls.due(START + 30, 2)).map(({ id }) => id)).toEqual(['OUT-1', 'OUT-3'])
      expect(await calls.nextDue()).toBe(START + 10)
      await calls.save(anOutboundCall('OUT-1', { dueAt: START + 50, version: 2 }), 1)
      expect(await calls.nextDue()).toBe(START + 20)
      expect((await calls.due(START + 20, 9)).map(({ id }) => id)).toEqual(['OUT-3'])
    })

    it('SC183 a call is removed at its version alone', async () => {
      const calls = await open()
      await calls.save(anOutboundCall(ID), 0)
      expect(await calls.remove(ID, 2)).toBe(false)
      expect(await calls.remove('OUT-2', 1)).toBe(false)
      expect(await calls.find(ID)).not.toBeNull()
      expect(count(await race(() => calls.remove(ID, 1)), true)).toBe(1)
      expect(await calls.find(ID)).toBeNull()
      expect(await calls.save(anOutboundCall(ID), 0)).toBe('saved')
    })

    it('SC184 calls go with their agent, and a call with the conversation of its id', async () => {
      const store = await openForTest(factory)
      const { outboundCalls: calls, removals } = store.conversations
      await store.agents.create(anAgent())
      await store.conversations.create(aConversation(ID, { index: { finishedAt: START } }))
      for (const id of [ID, 'OUT-2']) await calls.save(anOutboundCall(id), 0)
      await calls.save(anOutboundCall('OUT-3', { agentId: 'PROJECT-two' }), 0)
      expect(await removals.remove(ACCOUNT, AGENT, ID)).toBe('removed')
      expect(await calls.find(ID)).toBeNull()
      expect(await calls.find('OUT-2')).not.toBeNull()
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect(await calls.find('OUT-2')).toBeNull()
      expect(await calls.find('OUT-3')).not.toBeNull()
      expect((await calls.due(START + 90_000, 9)).map(({ id }) => id)).toEqual(['OUT-3'])
    })

    it('SC185 any strings of a call are kept, copied in and out', async () => {
      const calls = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const call = anOutboundCall(`OUT-${index}`, {
          reason: text,
          providerId: text,
          metadata: { [`a${text}`]: text },
        })
        await scribbling(call, copy => calls.save(copy, 0))
        scribble(await calls.find(call.id))
        expect(await calls.find(call.id)).toEqual(call)
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC186 calls are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.conversations.outboundCalls.save(anOutboundCall(ID), 0)
        const { outboundCalls } = (await reopenForTest(reopen, store)).conversations
        expect(await outboundCalls.find(ID)).toEqual(anOutboundCall(ID))
      })
    }
  })
}
