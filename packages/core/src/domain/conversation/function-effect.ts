import { isJsonArray, type Json } from '../json.ts'
import { checkedPart, type RuntimePart } from './runtime-part.ts'

/** The expectation of an external event on which no reply waits. One on which it waits is `delayed`. */
const EXPECTS = { type: 'expects' } as const

/** One message, write or action of a function call, as it is recorded with its turn (TE44). */
export type FunctionEffect = RuntimePart | typeof EXPECTS

/** Returns the effect of an expected external event. */
export const expectation = (isDelayed: boolean): FunctionEffect => (isDelayed ? { type: 'delayed' } : EXPECTS)

/** Returns the recorded effects of a call, in order. */
export const effectsOf = (recorded: Json | undefined): readonly FunctionEffect[] =>
  isJsonArray(recorded)
    ? recorded.map(one =>
        typeof one === 'object' && one !== null && 'type' in one && one.type === EXPECTS.type
          ? EXPECTS
          : checkedPart(one),
      )
    : []
