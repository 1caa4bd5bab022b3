import {
  type ContentTree,
  diff,
  type MergeSides,
  merge,
  pendingMessages,
  type Resolution,
} from '@colloquy/core/domain'
import { conversationHistories, mergeSides } from '@colloquy/core/testing/arbitraries'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** The owner of a conversation by the state of its handoff. */
const OWNER_OF = { requested: 'queue', waiting: 'queue', active: 'live_agent' } as const

test('whatever visitors, agents and live agents do, a conversation has one owner, and a message one fate', () => {
  fc.assert(
    fc.property(conversationHistories({ untilItsEnd: true }), ({ events, steps }) => {
      const settled = new Set<string>()
      for (const { after, before } of steps) {
        if (after.turn !== null) expect(after.owner).toBe('ai_agent')
        const status = after.handoff?.status ?? 'over'
        if (status !== 'over') expect(after.owner).toBe(OWNER_OF[status])
        const waiting = pendingMessages(after)
        expect(new Set(waiting).size).toBe(waiting.length)
        expect(waiting.filter(id => settled.has(id))).toEqual([])
        for (const id of pendingMessages(before)) if (!waiting.includes(id)) settled.add(id)
      }
      expect(settled.size).toBe(events.filter(({ type }) => type === 'USER_MESSAGE').length)
    }),
  )
})

/** A host's own merge: where a branch and main disagree, main stands. */
function mergeForMain(sides: MergeSides): ContentTree {
  const settled: Resolution[] = []
  for (;;) {
    const result = merge(sides, settled)
    if (result.status === 'merged') return result.tree
    if (result.status === 'invalid') throw new Error(result.reason)
    for (const { path } of result.conflicts) settled.push({ path, strategy: 'ours' })
  }
}

test('a merge for main never fails, and brings everything of a branch that main has not touched', () => {
  fc.assert(
    fc.property(mergeSides, ({ base, ours, theirs }) => {
      expect(diff(mergeForMain({ base, ours, theirs: base }), ours)).toEqual([])
      expect(diff(mergeForMain({ base, ours: base, theirs }), theirs)).toEqual([])
      const defaults = [...mergeForMain({ base, ours, theirs }).values()].filter(
        ({ kind, value }) => kind === 'variants' && 'isDefault' in value && value.isDefault,
      )
      expect(defaults).toHaveLength(1)
    }),
  )
})
