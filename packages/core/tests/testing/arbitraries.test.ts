import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge, previewMerge } from '../../src/domain/agent/merge.ts'
import { unpackActivity } from '../../src/domain/concurrency/activity.ts'
import { WINDOW } from '../../src/domain/concurrency/window.ts'
import type { Command } from '../../src/domain/conversation/command.ts'
import { DEFAULT_RULES } from '../../src/domain/conversation/default-rules.ts'
import { OWNERS } from '../../src/domain/conversation/state.ts'
import { transition } from '../../src/domain/conversation/transition.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'
import {
  activityColumns,
  activityRows,
  anyCommand,
  contentTrees,
  conversationHistories,
  mergeSides,
  newConversations,
  sensibleCommand,
} from '../../src/testing/arbitraries/index.ts'
import { faultsOf } from '../support/contents.ts'

/** The same ones every time, so that what they reach does not depend on luck. */
const some = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 300): readonly T[] =>
  fc.sample(arbitrary, { numRuns, seed: 7 })

const ALL_COMMANDS: Readonly<Record<Command['type'], 'visitors' | 'hosts' | 'carriers'>> = {
  join: 'visitors',
  message: 'visitors',
  typing: 'visitors',
  end: 'visitors',
  seen: 'visitors',
  set_context: 'visitors',
  call_progress: 'visitors',
  rate: 'visitors',
  replies_asked: 'visitors',
  turn_completed: 'visitors',
  turn_failed: 'visitors',
  turn_alive: 'visitors',
  handoff_accepted: 'visitors',
  handoff_failed: 'visitors',
  live_agent_joined: 'visitors',
  live_agent_message: 'visitors',
  live_agent_typing: 'visitors',
  queue_status: 'visitors',
  live_agent_watched: 'visitors',
  live_agent_left: 'visitors',
  live_agent_returned: 'visitors',
  handoff_transferred: 'visitors',
  deliveries_done: 'visitors',
  external_event: 'visitors',
  close: 'visitors',
  wake: 'visitors',
  clock_stepped: 'visitors',
  open_text: 'carriers',
  text_done: 'carriers',
  text_status: 'carriers',
  record_turns: 'hosts',
  finish_recording: 'hosts',
}
const namesOf = (of: 'visitors' | 'hosts' | 'carriers') =>
  Object.entries(ALL_COMMANDS).flatMap(([type, whose]) => (whose === of ? [type] : []))

describe('commands', () => {
  it('ST40 any command is of any type that can come to a conversation, and a sensible one is never refused', () => {
    const [state] = some(newConversations(), 1)
    if (state === undefined) throw new Error('There is no conversation.')
    const asked = { now: state.startedAt, id: 'id-1', rules: DEFAULT_RULES }
    const types = some(anyCommand(state, asked), 2_000).map(({ type }) => type)
    const expected = Object.keys(ALL_COMMANDS).filter(type => type !== 'clock_stepped')
    expect([...new Set(types)].sort()).toEqual(expected.sort())
    let taken = 0
    for (const { end, steps } of some(conversationHistories(), 50)) {
      const now = (steps.at(-1)?.asked.now ?? end.startedAt) + 1
      const moment = { ...asked, now, id: 'id-next' }
      for (const command of some(sensibleCommand(end, moment), 5)) {
        expect(transition(end, command, moment).refused).toBeNull()
        taken += 1
      }
    }
    expect(taken).toBe(250)
  })
})

describe('histories', () => {
  it('ST40 each step of a history begins where the one before ended, and no deadline is passed over', () => {
    for (const { end, events, start, steps } of some(conversationHistories())) {
      let [state, now, due] = [start, start.startedAt, wakeAt(start)]
      for (const { after, asked, before, command, decision } of steps) {
        expect(before).toBe(state)
        expect(asked.now).toBeGreaterThanOrEqual(now)
        expect(transition(before, command, asked)).toEqual(decision)
        const isLate = due !== null && asked.now >= due && asked.now > now
        if (isLate && command.type !== 'clock_stepped') expect(command.type).toBe('wake')
        ;[state, now, due] = [after, asked.now, wakeAt(after)]
      }
      expect(end).toBe(state)
      expect(events.length).toBe(end.sequence)
    }
  })

  it('ST40 histories reach every owner, and take every command that can come to such a conversation', () => {
    const reached = { owners: new Set<string>(), commands: new Set<string>(), refusals: new Set<string>() }
    for (const { steps } of some(conversationHistories({ rules: { ...DEFAULT_RULES, queuedMessages: 2 } }))) {
      for (const { after, command, decision } of steps) {
        reached.owners.add(after.owner)
        if (decision.refused === null) reached.commands.add(command.type)
        else reached.refusals.add(decision.refused)
      }
    }
    expect([...reached.owners].sort()).toEqual([...OWNERS].sort())
    expect([...reached.commands].sort()).toEqual(namesOf('visitors').sort())
    expect([...reached.refusals].sort()).toEqual([
      ...['ended', 'fenced', 'handoff_over', 'no_deployment', 'not_awaited'],
      ...['not_joined', 'not_recorded', 'overloaded', 'transfer_to_self'],
    ])
    const recorded = some(conversationHistories({ start: newConversations('recorded'), sensible: true }), 50)
    const types = recorded.flatMap(({ steps }) => steps.map(({ command }) => command.type))
    expect(new Set(types)).toEqual(new Set([...namesOf('hosts'), 'wake', 'close', 'clock_stepped']))
  })

  it('ST40 a history until its end has ended, and a sensible one has no refused command', () => {
    for (const { end, steps } of some(conversationHistories({ sensible: true, untilItsEnd: true }), 100)) {
      expect(end.endedAt).not.toBeNull()
      expect(steps.every(({ decision }) => decision.refused === null)).toBe(true)
    }
  })

  it('ST40 a counterexample prints the commands of its history and what came of them, a line each', () => {
    const [history] = some(conversationHistories({ maxLength: 5, untilItsEnd: true }), 1)
    const lines = fc.stringify(history).split('\n')
    expect(lines.length).toBe(history?.steps.length)
    expect(lines.at(-1)).toMatch(/^\d+: \{"type":"wake"\} -> SESSION_END$/)
    const all = some(conversationHistories()).map(history => fc.stringify(history))
    expect(all.some(text => / -> refused: fenced$/m.test(text))).toBe(true)
    expect(all.some(text => /"typing","state":"started"\} -> no event$/m.test(text))).toBe(true)
  })
})

describe('contents and activity', () => {
  it('ST40 contents are sound, and pairs of edits conflict in every way, but not always', () => {
    for (const tree of some(contentTrees)) expect(faultsOf(tree)).toEqual([])
    const pairs = some(mergeSides)
    const types = pairs.flatMap(sides => previewMerge(sides).conflicts.map(({ type }) => type))
    expect([...new Set(types)].sort()).toEqual(['add', 'delete', 'modify'])
    const merged = pairs.filter(sides => merge(sides).status === 'merged').length
    expect(merged).toBeGreaterThan(30)
    expect(merged).toBeLessThan(270)
  })

  it('ST40 columns hold the rows, in blocks or not', () => {
    const range = { from: 10 * WINDOW, to: 16 * WINDOW }
    const everything = { from: 0, to: Number.POSITIVE_INFINITY }
    const order = (rows: readonly string[]) => rows.toSorted()
    fc.assert(
      fc.property(activityRows(range), fc.func(fc.boolean()), (rows, packs) => {
        const { ends, starts, variant } = unpackActivity(activityColumns(rows, packs), everything)
        const found = [...starts].map((start, row) => `${start} ${ends[row]} ${variant[row]}`)
        expect(order(found)).toEqual(order(rows.map(row => `${row.start} ${row.end} ${row.variant}`)))
      }),
    )
  })
})
