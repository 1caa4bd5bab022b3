import { RULES } from '@colloquy/test-support/conversation'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pendingMessages } from '../../src/domain/conversation/pending-messages.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import { OWNERS } from '../../src/domain/conversation/state.ts'
import { transition } from '../../src/domain/conversation/transition.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'
import { conversationHistories, type HistoryStep } from '../../src/testing/arbitraries/index.ts'

/** Where each message that was taken stands: exactly one place each. */
class Ledger {
  readonly taken = new Set<string>()
  /** Messages that wait for nobody any more. */
  readonly settled = new Set<string>()
  /** How many replies were taken for each message. */
  readonly replies = new Map<string, number>()

  check({ after, before, command, decision }: HistoryStep): void {
    if (decision.refused !== null) return
    for (const { type, payload } of decision.events) {
      if (type === 'USER_MESSAGE') this.taken.add(String(payload.message_id))
    }
    const answered = command.type === 'turn_completed' ? before.turn?.input : undefined
    if (answered?.type === 'message')
      this.replies.set(answered.messageId, (this.replies.get(answered.messageId) ?? 0) + 1)
    const left = pendingMessages(after)
    expect(new Set(left).size).toBe(left.length)
    expect(left.filter(id => this.settled.has(id))).toEqual([])
    const fresh = command.type === 'message' ? [...this.taken].slice(-1) : []
    const gone = [...new Set([...pendingMessages(before), ...fresh])].filter(id => !left.includes(id))
    for (const id of gone) this.settled.add(id)
    if (after.endedAt !== null || gone.length === 0) return
    const stated = decision.transients.filter(({ type }) => type === 'SYSTEM_MESSAGE').length
    const replied = command.type === 'turn_completed' ? 1 : 0
    const handedOver = command.type === 'deliveries_done' ? gone.length : 0
    // A handoff that ends drops what was meant for its live agent: its own event says so.
    const dropped = decision.events.some(
      ({ type }) => type === 'HANDOFF_FAILED' || type === 'HANDOFF_TIMEOUT',
    )
    expect(dropped || replied + stated + handedOver >= gone.length).toBe(true)
  }
}

function checkInvariants(state: ConversationState, log: readonly string[]): void {
  expect(OWNERS).toContain(state.owner)
  expect(state.sequence).toBe(log.length)
  const ends = log.filter(type => type === 'SESSION_END').length
  expect(ends).toBe(state.endedAt === null ? 0 : 1)
  if (state.endedAt !== null) {
    expect(log.at(-1)).toBe('SESSION_END')
    expect(state).toMatchObject({ owner: 'nobody', turn: null, pending: [], awaiting: [] })
  } else {
    expect(wakeAt(state)).not.toBeNull()
  }
  if (state.turn !== null) expect(state.owner).toBe('ai_agent')
  if (state.owner === 'ai_agent' && state.turn === null) expect(state.pending).toEqual([])
  if (state.handoff?.status === 'active' && state.handoff.attendedUntil !== null)
    expect(wakeAt(state)).toBeLessThanOrEqual(state.handoff.attendedUntil)
  if (state.owner === 'queue') expect(['requested', 'waiting']).toContain(state.handoff?.status)
  else if (state.owner === 'live_agent') expect(state.handoff?.status).toBe('active')
  else if (state.handoff !== null) expect(state.handoff.status).toBe('over')
  expect(state.record.aiSince === null).toBe(state.owner !== 'ai_agent')
}

it('CM40 whatever happens: one owner, a log without gaps, and one fate for every message that was taken', () => {
  fc.assert(
    fc.property(conversationHistories({ rules: RULES, untilItsEnd: true }), ({ end, steps }) => {
      const ledger = new Ledger()
      const log: string[] = []
      for (const step of steps) {
        if (step.decision.refused === null) log.push(...step.decision.events.map(({ type }) => type))
        ledger.check(step)
        checkInvariants(step.after, log)
      }
      // Left alone, every conversation comes to its end: nothing waits for ever.
      expect(end.endedAt).not.toBeNull()
      expect([...ledger.replies.values()].filter(count => count !== 1)).toEqual([])
      expect(ledger.settled.size).toBe(ledger.taken.size)
    }),
    { numRuns: runs(700, 2_000) },
  )
})

it('the same state, command and moment give the same decision, and the state is never changed in place', () => {
  const frozen = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  fc.assert(
    fc.property(conversationHistories({ maxLength: 40 }), ({ steps }) => {
      for (const { asked, before, command, decision } of steps) {
        frozen(before)
        expect(transition(before, command, asked)).toEqual(decision)
      }
    }),
    { numRuns: 300 },
  )
})
