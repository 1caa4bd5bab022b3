import type { Effect, State, TimerName } from './state.ts'

/** A state that is being written by one step, and what it asks of the shell. */
export type Draft = { -readonly [Field in keyof State]: State[Field] } & {
  readonly effects: Effect[]
  readonly now: number
}

/** Starts a timer, or restarts it. */
export function setTimer(draft: Draft, name: TimerName, min: number, max = min): void {
  draft.effects.push({ type: 'set timer', name, min, max })
}

export function clearTimers(draft: Draft, ...names: readonly TimerName[]): void {
  for (const name of names) draft.effects.push({ type: 'clear timer', name })
}
