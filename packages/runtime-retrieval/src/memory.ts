import type { JsonObject } from '@colloquy/core'
import { z } from 'zod'

/** The conversation variable in which the retrieval runtime keeps what it must know at the next turn. */
export const MEMORY_KEY = 'retrieval'

/** Expected external events that are remembered; the oldest go first. */
const MOST_EXPECTED = 50

const memorySchema = z.object({
  /** Name of the topic that answered last. */
  topic: z.string().nullable().catch(null),
  /** How sure the runtime was of it, from 0 to 1. */
  confidence: z.number().catch(0),
  /** Names of the topics, one or two, that the runtime asked back about in the last turn. */
  asked: z.array(z.string()).catch([]),
  /** True when it offered to hand off in the last turn. */
  offered: z.boolean().catch(false),
  /** Turns in a row without an answer. */
  failures: z.int().min(0).catch(0),
  /** Which function expects which external event. */
  expected: z.array(z.object({ eventId: z.string(), function: z.string() })).catch([]),
})

/** What the retrieval runtime remembers of a conversation. */
export type Memory = Readonly<z.infer<typeof memorySchema>>

/**
 * Reads the memory out of a conversation's variables; what is missing or was overwritten with something else is
 * forgotten.
 */
export function readMemory(variables: JsonObject): Memory {
  const kept = memorySchema.safeParse(Object.hasOwn(variables, MEMORY_KEY) ? variables[MEMORY_KEY] : {})
  return kept.success ? kept.data : memorySchema.parse({})
}

/** The memory with further expected events. */
export function expecting(memory: Memory, functionName: string, eventIds: readonly string[]): Memory {
  const added = eventIds.map(eventId => ({ eventId, function: functionName }))
  return { ...memory, expected: [...memory.expected, ...added].slice(-MOST_EXPECTED) }
}
