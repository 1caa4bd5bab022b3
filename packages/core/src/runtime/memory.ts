import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../domain/json.ts'

/** The conversation variable in which runtimes keep what they must know at the next turn. */
export const MEMORY_KEY = 'retrieval'

/** Expected external events that are remembered; the oldest go first. */
const MOST_EXPECTED = 50

/** The runtime's memory of a conversation. JSON, as variables are. */
export type Memory = {
  /** Name of the topic that answered last. */
  readonly topic: string | null
  /** The confidence of the runtime in it, from 0 to 1. */
  readonly confidence: number
  /** Names of the topics, one or two, that the runtime asked back about in the last turn. */
  readonly asked: readonly string[]
  /** True when it offered to hand off in the last turn. */
  readonly offered: boolean
  /** The destination of the newest handoff. */
  readonly handedTo: string | null
  /** True when it offered to take a message in the last turn. */
  readonly awaitsMessage: boolean
  /** Turns in a row without an answer. */
  readonly failures: number
  /** The external events that functions expect. */
  readonly expected: readonly ExpectedEvent[]
}

/** An external event that a function of the agent waits for. */
type ExpectedEvent = { readonly eventId: string; readonly function: string }

const NOTHING: JsonObject = {}

/** Each item as it is read; nothing at all where one of them is something else. */
function listOf<Item>(value: Json | undefined, read: (item: Json) => Item | null): readonly Item[] {
  const items = value !== undefined && isJsonArray(value) ? value.map(read) : []
  return items.every(item => item !== null) ? items : []
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

function expectedOf(value: Json): ExpectedEvent | null {
  if (!isJsonObject(value)) return null
  const [eventId, name] = [textOf(value.eventId), textOf(value.function)]
  return eventId === null || name === null ? null : { eventId, function: name }
}

/**
 * Reads the memory out of a conversation's variables; what is missing or was overwritten with something else is
 * forgotten.
 */
export function readMemory(variables: JsonObject): Memory {
  // By hand: a library of schemas for one small object would be most of what a host loads with this package.
  const found = Object.hasOwn(variables, MEMORY_KEY) ? variables[MEMORY_KEY] : null
  const { topic, confidence, asked, offered, handedTo, awaitsMessage, failures, expected } = isJsonObject(
    found,
  )
    ? found
    : NOTHING
  const unanswered = typeof failures === 'number' && Number.isSafeInteger(failures) ? failures : 0
  return {
    topic: textOf(topic),
    confidence: typeof confidence === 'number' ? confidence : 0,
    asked: listOf(asked, textOf),
    offered: offered === true,
    handedTo: textOf(handedTo),
    awaitsMessage: awaitsMessage === true,
    failures: Math.max(unanswered, 0),
    expected: listOf(expected, expectedOf),
  }
}

/** Returns the memory with further expected events. */
export function expecting(memory: Memory, functionName: string, eventIds: readonly string[]): Memory {
  const added = eventIds.map(eventId => ({ eventId, function: functionName }))
  return { ...memory, expected: [...memory.expected, ...added].slice(-MOST_EXPECTED) }
}
