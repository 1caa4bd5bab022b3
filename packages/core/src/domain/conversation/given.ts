import { jsonBytes } from '../utf8-bytes.ts'
import { type Draft, journal, patch } from './draft.ts'
import type { ConversationState, GivenWithMessage, TurnInput } from './state.ts'

type State = ConversationState

const givenOf = (input: TurnInput): GivenWithMessage | undefined =>
  input.type === 'message' ? input.given : undefined

/**
 * Reports whether the attributes would be larger than they may be once every message that waits has had its turn
 * (TC12).
 */
export function isTooMuch(state: State, given: GivenWithMessage | undefined, limit: number): boolean {
  if (given?.integrationAttributes === undefined) return false
  const waiting = state.pending.map(input => givenOf(input)?.integrationAttributes)
  const merged = Object.assign(
    { ...state.integrationAttributes },
    ...waiting,
    given.integrationAttributes,
  ) satisfies State['integrationAttributes']
  return jsonBytes(merged) > limit
}

/**
 * Applies the values that were given with a message, from its turn on. Not before: the turn that runs until then
 * writes the attributes as it knows them.
 */
export function takeGiven(draft: Draft, input: TurnInput): Draft {
  const given = givenOf(input)
  if (given === undefined) return draft
  const { state } = draft
  const { integrationAttributes, asrLanguage = state.asrLanguage, ttsLanguage = state.ttsLanguage } = given
  const taken = patch(draft, {
    asrLanguage,
    ttsLanguage,
    integrationAttributes:
      integrationAttributes === undefined
        ? state.integrationAttributes
        : { ...state.integrationAttributes, ...integrationAttributes },
  })
  const language = given.ttsLanguage ?? given.asrLanguage ?? state.record.language
  if (language === null || language === state.record.language) return taken
  return patch(journal(taken, 'LANGUAGE_CHANGED', { language_code: language }), {
    record: { language },
  })
}

/** Removes the given data from a running turn, but for the attributes, which its recording has (TE68). */
export function withoutGiven(input: TurnInput): TurnInput {
  if (input.type !== 'message' || input.given === undefined) return input
  const { given, ...rest } = input
  const { integrationAttributes } = given
  return integrationAttributes === undefined ? rest : { ...rest, given: { integrationAttributes } }
}

/** Returns the attributes that came with the message of the running turn. Undefined for none. */
export const attributesGiven = ({ turn }: Pick<State, 'turn'>): State['integrationAttributes'] | undefined =>
  turn === null ? undefined : givenOf(turn.input)?.integrationAttributes
