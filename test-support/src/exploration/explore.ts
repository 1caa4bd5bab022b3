import type { Command } from '../../../packages/core/src/domain/conversation/command.ts'
import type { Decision } from '../../../packages/core/src/domain/conversation/draft.ts'
import type { ConversationState } from '../../../packages/core/src/domain/conversation/state.ts'
import { transition } from '../../../packages/core/src/domain/conversation/transition.ts'
import { wakeAt } from '../../../packages/core/src/domain/conversation/wake.ts'
import { commandsFor } from './alphabet.ts'
import { beginning, canonical, keyOf, NEW_ID, NOW, type Setting } from './canonical.ts'
import { checkAgain, checkState, checkStep, claim } from './invariants.ts'
import { checkRefusal } from './refusals.ts'
import { EXPLORED_RULES } from './settings.ts'

/** Results of an exploration. */
export interface Explored {
  readonly states: number
  /** Decisions, those about a command that came again among them. */
  readonly transitions: number
  readonly refusals: number
  /** Steps from the beginning to the state that is farthest from it. */
  readonly depth: number
}

/** A state that was reached, and the shortest way to it. */
interface Reached {
  readonly state: ConversationState
  readonly from: Reached | null
  readonly by: Command | 'time passes' | null
  readonly depth: number
}

const decide = (state: ConversationState, command: Command, now = NOW): Decision =>
  transition(state, command, { now, id: NEW_ID, rules: EXPLORED_RULES })

/**
 * Every situation that a conversation can get into, breadth first, until there is no new one.
 *
 * @throws at the first flaw, with the shortest way to it
 */
export function explore(setting: Setting): Explored {
  const start = beginning(setting)
  const known = new Map<string, Reached>()
  const found: Reached[] = []
  let transitions = 0
  let refusals = 0

  function arrive(state: ConversationState, from: Reached | null, by: Reached['by']): void {
    const key = keyOf(state)
    if (known.has(key)) return
    if (from !== null && by !== null && by !== 'time passes') {
      const twin = decide(from.state, by)
      claim(twin.refused === null, 'the same command is refused the second time')
      claim(keyOf(canonical(start, twin.state, NOW)) === key, 'the same decision comes out differently')
    }
    const here = { state: deepFreeze(state), from, by, depth: from === null ? 0 : from.depth + 1 }
    known.set(key, here)
    found.push(here)
  }

  function take(here: Reached, command: Command): void {
    const decision = decide(here.state, command)
    transitions++
    checkRefusal(here.state, command, decision.refused)
    if (decision.refused !== null) {
      refusals++
      return
    }
    checkStep(here.state, command, decision, NOW)
    checkAgain(command, decision, decide(decision.state, command))
    transitions++
    if (decision.state === here.state) return
    checkState(decision.state)
    arrive(canonical(start, decision.state, NOW), here, command)
  }

  arrive(canonical(start, start, NOW), null, null)
  for (const here of found) {
    tellingTheWay(here, () => {
      checkState(here.state)
      for (const command of commandsFor(here.state)) tellingTheStep(command, () => take(here, command))
      arrive(canonical(start, here.state, NOW + 1), here, 'time passes')
    })
  }
  checkLeftAlone(start, known)
  return { states: known.size, transitions, refusals, depth: found.at(-1)?.depth ?? 0 }
}

/** From every state wake-ups alone, each at its moment, lead to the end. */
function checkLeftAlone(start: ConversationState, known: ReadonlyMap<string, Reached>): void {
  const ending = new Set<string>()
  for (const [key, here] of known) {
    const way = new Set<string>()
    for (let at = key; !ending.has(at); ) {
      const { state } = known.get(at) ?? {}
      tellingTheWay(here, () => {
        claim(state !== undefined, 'waking leads to where the exploration was not')
        claim(!way.has(at), 'left alone this conversation never ends')
      })
      way.add(at)
      if (state === undefined || state.endedAt !== null) break
      const now = Math.max(NOW, wakeAt(state) ?? NOW)
      const decision = decide(state, { type: 'wake' }, now)
      if (decision.refused !== null) throw new Error('a wake-up was refused')
      at = keyOf(canonical(start, decision.state, now))
    }
    for (const passed of way) ending.add(passed)
  }
}

function tellingTheStep(command: Command, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}, after: ${told(command)}`)
  }
}

function tellingTheWay(here: Reached, check: () => void): void {
  try {
    check()
  } catch (error) {
    const way: string[] = []
    for (let at: Reached | null = here; at !== null; at = at.from)
      if (at.by !== null) way.unshift(told(at.by))
    throw new Error(`${error instanceof Error ? error.message : error}\nThe way there:\n${way.join('\n')}`)
  }
}

const told = (by: Command | 'time passes'): string => {
  if (typeof by === 'string') return by
  if (by.type !== 'turn_completed') return JSON.stringify(by)
  const { turn: _, variables: __, metrics: ___, ...reply } = by.reply
  return JSON.stringify({ ...by, reply })
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
