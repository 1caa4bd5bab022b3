import type { CallAction, CallState } from './call-state.ts'
import type { ServerFrame } from './frames.ts'

/** A state, and what is to be done. */
export interface Step {
  readonly state: CallState
  readonly actions: readonly CallAction[]
}

export const frame = (of: ServerFrame): CallAction => ({ type: 'frame', frame: of })

export const andThen = ({ actions, state }: Step, next: (state: CallState) => Step): Step => {
  const step = next(state)
  return { state: step.state, actions: [...actions, ...step.actions] }
}

export const plain = (state: CallState, ...actions: readonly CallAction[]): Step => ({ state, actions })

/** The transcriptions that are open. */
export const dropsOf = ({ pending, utterance }: CallState): readonly CallAction[] =>
  [...pending, ...(utterance?.isOpen === true ? [utterance] : [])].map(({ id }) => ({ type: 'drop', id }))
