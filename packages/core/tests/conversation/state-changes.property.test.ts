import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayChangeIndex, projectIndex, projectRecord } from '../../src/domain/conversation/project-record.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import {
  addedChanges,
  areMany,
  changesOf,
  NO_CHANGES,
  type StateChanges,
  withChanges,
} from '../../src/domain/conversation/state-changes.ts'
import { conversationHistories, newConversations } from '../../src/testing/arbitraries/index.ts'
import { aState } from '../../src/testing/index.ts'

const stored = (state: ConversationState): ConversationState => JSON.parse(JSON.stringify(state))
const told = (changes: StateChanges): StateChanges => JSON.parse(JSON.stringify(changes))

const histories = fc.oneof(
  conversationHistories({ untilItsEnd: true }),
  conversationHistories({ start: newConversations('recorded') }),
)

test('a state and the changes of all decisions after it give the later state and the same record', () => {
  let beside = 0
  fc.assert(
    fc.property(histories, fc.infiniteStream(fc.nat(9)), ({ start, steps }, dice) => {
      let base = start
      let since = NO_CHANGES
      for (const { before, after, decision } of steps) {
        if (decision.refused !== null) continue
        expect(withChanges(before, decision.changes)).toEqual(after)
        since = addedChanges(since, decision.changes)
        if (areMany(since) || dice.next().value === 0) {
          base = after
          since = NO_CHANGES
          continue
        }
        beside++
        const loaded = withChanges(stored(base), told(since))
        expect(loaded).toEqual(stored(after))
        expect(JSON.stringify(projectRecord(loaded))).toBe(JSON.stringify(projectRecord(after)))
      }
    }),
    { numRuns: runs(300, 2_000) },
  )
  expect(beside).toBeGreaterThan(1_000)
})

test('a decision that changes nothing has no changes, and hands on the state that it was given', () => {
  fc.assert(
    fc.property(histories, ({ steps }) => {
      for (const { before, decision } of steps) {
        if (decision.refused !== null) continue
        const isSame = Object.keys(decision.changes).length === 0
        expect(decision.state === before).toBe(isSame)
      }
    }),
    { numRuns: runs(100, 500) },
  )
})

test('without changes a state stays as it is', () => {
  expect(withChanges(aState('AS-1'), null)).toEqual(aState('AS-1'))
  const state = aState('AS-1')
  expect(changesOf(state, { ...state })).toBe(NO_CHANGES)
})

test('every field that has another value is told, whichever it is', () => {
  const base = aState('AS-1')
  for (const name of Object.keys(base).filter(name => name !== 'record'))
    expect(changesOf(base, { ...base, [name]: 'other' }), name).toEqual({ [name]: 'other' })
  for (const name of Object.keys(base.record)) {
    const record = { ...base.record, [name]: 'other' }
    expect(changesOf(base, { record }), name).toEqual({ record: { [name]: 'other' } })
  }
})

test('facts of the record are added one by one', () => {
  const first = { sequence: 6, record: { turns: 2, silences: 1 } }
  expect(addedChanges(first, { sequence: 7, record: { turns: 3 } })).toEqual({
    sequence: 7,
    record: { turns: 3, silences: 1 },
  })
  expect(addedChanges(first, { sequence: 7 })).toEqual({ ...first, sequence: 7 })
})

test('a state with a change that is too long is written whole', () => {
  for (const name of ['variables', 'metrics', 'integrationAttributes', 'setAttributes']) {
    expect(areMany({ [name]: { room: '12' } }), name).toBe(false)
    expect(areMany({ [name]: { long: 'x'.repeat(600) } }), name).toBe(true)
  }
})

/** Other values than those of `aState`, of every field that an index may depend on. */
const other = fc.record(
  {
    accountId: fc.constantFrom('ws-1', 'ws-2'),
    agentId: fc.constantFrom('PROJECT-1', 'PROJECT-2'),
    environment: fc.constantFrom('live', 'sandbox'),
    listed: fc.boolean(),
    kind: fc.constantFrom('messaging', 'debug', 'test', 'recorded'),
    startedAt: fc.nat(2),
    endedAt: fc.option(fc.nat(2)),
    owner: fc.constantFrom('queue', 'ai_agent'),
    seenAt: fc.nat(2),
    variables: fc.constant({}),
    handoff: fc.option(
      fc.record({
        id: fc.constantFrom('h1', 'h2'),
        status: fc.constantFrom('requested', 'waiting', 'active', 'over'),
        queueName: fc.constantFrom('a', 'b'),
        requestedAt: fc.nat(2),
        reason: fc.constant(''),
        destination: fc.constant(''),
        timeoutAt: fc.constant(9),
        liveAgent: fc.constant(null),
        acceptedBy: fc.constantFrom(null, { type: 'person' as const, id: 'p' }),
        attendedUntil: fc.option(fc.nat(2)),
      }),
    ),
  },
  { requiredKeys: [] },
)

const text = fc.constantFrom('', 'a')
const otherFacts = fc.record(
  {
    channel: text,
    language: fc.option(text),
    fromNumber: text,
    toNumber: text,
    variantId: fc.option(text),
    variantName: fc.option(text),
    turns: fc.nat(1),
    direction: fc.constantFrom('inbound', 'outbound'),
  },
  { requiredKeys: [] },
)

/** At most one of the fields, so that states often differ in nothing that counts. */
const few = <Fields extends object>(fields: fc.Arbitrary<Fields>) =>
  fc.tuple(fields, fc.nat(20)).map(([all, at]) => Object.fromEntries(Object.entries(all).slice(at, at + 1)))

const changed = (state: ConversationState, fields: Partial<ConversationState>, facts: object) => ({
  ...state,
  ...fields,
  record: { ...state.record, ...facts },
})

test('an index changes only when a field changes that it depends on, whatever changes', () => {
  const seen = { other: 0, same: 0 }
  fc.assert(
    fc.property(other, otherFacts, few(other), few(otherFacts), (first, facts, second, moreFacts) => {
      const before = changed(aState('AS-1'), first, facts)
      const after = changed(before, second, moreFacts)
      if (mayChangeIndex(before, after)) seen.other++
      else {
        seen.same++
        expect(projectIndex(after)).toEqual(projectIndex(before))
      }
    }),
    { numRuns: runs(2_000, 20_000) },
  )
  expect(Math.min(seen.other, seen.same)).toBeGreaterThan(50)
})

test('most decisions of a conversation leave its index as it is', () => {
  let same = 0
  fc.assert(
    fc.property(histories, ({ steps }) => {
      for (const { after, before } of steps) {
        if (mayChangeIndex(before, after)) continue
        if (after !== before) same++
        expect(projectIndex(after)).toEqual(projectIndex(before))
      }
    }),
    { numRuns: runs(100, 1_000) },
  )
  expect(same).toBeGreaterThan(300)
})
