import { canonicalJson } from '../canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { jsonBytes } from '../utf8-bytes.ts'
import { attributesGiven } from './given.ts'
import type { StoredTurn } from './record.ts'
import { type ConversationState, isGenuine } from './state.ts'

/** The parts of a conversation's state that its turns write. */
export interface RecordedState {
  readonly variables: JsonObject
  readonly integrationAttributes: JsonObject
  readonly setAttributes: Readonly<Record<string, string>>
}

/** The situation in which a recorded turn was asked (TE68). */
export interface TurnSituation extends RecordedState {
  /** The length of the log when the turn began. */
  readonly sequence: number
  /** The time at which it began, milliseconds. */
  readonly now: number
  /** Empty if the conversation had none yet. */
  readonly language: string
  /** The real-time config as it was read. Null: it was too large to be recorded. */
  readonly config: JsonObject | null
}

/** The most bytes of JSON of a real-time config that is recorded with each turn (TE97). */
const CONFIG_BYTES = 1_024

/**
 * Returns a real-time config as it is recorded: a copy, since a runtime may change its own. Null if it is too large.
 */
export const recordedConfig = (config: JsonObject): JsonObject | null =>
  jsonBytes(config) > CONFIG_BYTES ? null : structuredClone(config)

/** Returns the entries that `after` has and `before` has not. Null for none. */
function written<Value extends Json>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> | null {
  if (before === after) return null
  const entries = Object.entries(after).filter(([name, value]) => before[name] !== value)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/**
 * Returns the fields of a turn's details that let it be asked again alone (TE68): when it began, what it read and what
 * it wrote. They fold to the state before each turn. Null for conversations that are never replayed.
 */
export function recordingOf(
  state: ConversationState,
  after: RecordedState,
  config: JsonObject | null,
): JsonObject | null {
  const { kind, record, sequence, turn } = state
  if (!isGenuine(kind) || turn === null) return null
  const recording: Record<string, Json> = { sequence, now: turn.startedAt }
  if (record.language !== null) recording.language = record.language
  // The event itself is kept with its conversation.
  if (turn.input.type === 'external_event') recording.event = turn.input.eventId
  if (config === null || Object.keys(config).length > 0) recording.config = config
  const given = record.turns === 0 ? state.integrationAttributes : (attributesGiven(state) ?? {})
  if (Object.keys(given).length > 0) recording.given = given
  const variables = written(state.variables, after.variables)
  if (variables !== null) recording.variables = variables
  const attributes = written(state.integrationAttributes, after.integrationAttributes)
  if (attributes !== null) recording.integration_attributes = attributes
  const set = written(state.setAttributes, after.setAttributes)
  if (set !== null) recording.variant_attributes = set
  return recording
}

/** Reports whether a turn has what lets it be asked again: its recording, or what its functions did. */
export const hasRecording = ({ details }: Pick<StoredTurn, 'details'>): boolean =>
  details.recording !== undefined || details.function_effects !== undefined

/** Returns the id of the external event that a recorded turn answers. Null for none, and for older turns. */
export function eventIdOf({ details: { recording } }: Pick<StoredTurn, 'details'>): string | null {
  const { event } = objectOf(recording)
  return typeof event === 'string' ? event : null
}

/** Returns the attributes that came with the message of a recorded turn. Null for none. */
export function givenWith({ details: { recording } }: Pick<StoredTurn, 'details'>): JsonObject | null {
  const { given } = objectOf(recording)
  return given === undefined ? null : objectOf(given)
}

/** Returns a turn without what lets it be asked again. The rest of its record stays (TE94). */
export function withoutRecording<Turn extends StoredTurn>(turn: Turn): Turn {
  const { recording: _, function_effects: __, ...details } = turn.details
  return { ...turn, details }
}

const objectOf = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}

const textsOf = (value: Json | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  )

const NOTHING: RecordedState = { variables: {}, integrationAttributes: {}, setAttributes: {} }

/**
 * Returns the situation of each turn, by its place. Null for a turn without a recording, and for those after it: what
 * it wrote is unknown. Null also for all but the first where the attributes are not those that the turns fold to.
 *
 * @param attributes those of the conversation now. Null if there are further turns
 */
export function situationsOf(
  turns: readonly StoredTurn[],
  attributes: JsonObject | null,
): readonly (TurnSituation | null)[] {
  let before: RecordedState | null = NOTHING
  const situations = turns.map(({ details: { recording } }): TurnSituation | null => {
    if (before === null || recording === undefined || !isJsonObject(recording)) {
      before = null
      return null
    }
    const { config, sequence, now, language, given } = recording
    const integrationAttributes = { ...before.integrationAttributes, ...objectOf(given) }
    const { variables, setAttributes } = before
    before = {
      variables: { ...variables, ...objectOf(recording.variables) },
      integrationAttributes: { ...integrationAttributes, ...objectOf(recording.integration_attributes) },
      setAttributes: { ...setAttributes, ...textsOf(recording.variant_attributes) },
    }
    return {
      ...{ variables, integrationAttributes, setAttributes },
      sequence: typeof sequence === 'number' ? sequence : 0,
      now: typeof now === 'number' ? now : 0,
      language: typeof language === 'string' ? language : '',
      config: config === null ? null : objectOf(config),
    }
  })
  const folded: RecordedState | null = before
  const isWhole =
    folded === null ||
    attributes === null ||
    canonicalJson(folded.integrationAttributes) === canonicalJson(attributes)
  return isWhole ? situations : situations.map((one, at) => (at === 0 ? one : null))
}
