import type { JsonObject } from '../../../domain/json.ts'
import type {
  AgentContent,
  AgentRuntime,
  FunctionCall,
  RuntimeInput,
  RuntimePart,
  RuntimeTurn,
} from '../../../ports/agent-runtime.ts'
import { aRuntimeTurn } from '../../conversation-fixtures.ts'
import { createFakeClock } from '../../fake-clock.ts'
import { ALL_TASKS, ATTRIBUTES, contentOf, FORBIDDEN_FUNCTION, type RuntimeUnderTest } from './agent.ts'

/** The id under which the contract's function expects an external event. */
export const EVENT_ID = 'contract-event'

/** The effects of a call of each of the agent's functions on the turn. */
const CALLS: Readonly<Record<string, Partial<FunctionCall>>> = {
  note_room: { result: { noted: true } },
  print_bill: { error: 'The printer is out of paper.' },
  take_deposit: { concluded: true, said: true, expectedEventIds: [EVENT_ID] },
  end_visit: { concluded: true },
  [FORBIDDEN_FUNCTION]: { result: 'erased' },
}

/** The values in which one turn of a test differs. */
export interface TurnValues {
  readonly content?: AgentContent
  readonly variables?: JsonObject
  readonly language?: string
  readonly turnId?: RuntimeTurn['turnId']
  readonly conversationId?: RuntimeTurn['conversationId']
  /** Delays the results of function calls. */
  readonly until?: Promise<unknown>
}

/** A call of a function that a runtime has made. */
export interface MadeCall {
  readonly name: string
  readonly args: JsonObject
}

/** A turn of the contract's agent, and the calls that are made in it. */
export interface ContractTurn {
  readonly turn: RuntimeTurn
  readonly calls: readonly MadeCall[]
}

/** Returns a turn about a message or another input. Its functions do what {@link CALLS} says. */
export function aTurnOf(input: string | RuntimeInput, values: TurnValues = {}): ContractTurn {
  const { content = contentOf('1'), until, ...more } = values
  const calls: MadeCall[] = []
  const turn = aRuntimeTurn(input, {
    content,
    variant: { id: 'v', name: 'default', attributes: ATTRIBUTES },
    functions: Object.keys(CALLS).map(name => ({
      name,
      description: `Does ${name}.`,
      parameters: { type: 'object' },
    })),
    async callFunction(name, args) {
      calls.push({ name, args })
      await until
      const done = CALLS[name] ?? { error: `There is no function named ${name}.` }
      return {
        name,
        arguments: args,
        result: null,
        error: null,
        duration: 1,
        said: false,
        concluded: false,
        expectedEventIds: [],
        ...done,
      }
    },
    expectExternalEvent: async () => EVENT_ID,
    ...more,
  })
  return { turn, calls }
}

/** Returns the runtime under test with the contract's tasks, on a clock of its own. */
export async function makeRuntime(factory: RuntimeUnderTest) {
  const clock = createFakeClock()
  return { clock, runtime: await factory.make(ALL_TASKS, clock) }
}

/** Returns all parts of an answer. Rejects with the runtime's error. */
export async function partsOf(
  runtime: AgentRuntime,
  turn: RuntimeTurn,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly RuntimePart[]> {
  const parts: RuntimePart[] = []
  for await (const part of runtime.respond(turn, signal)) parts.push(part)
  return parts
}

/** Returns the variables after these parts, as they come back from a store. */
export function variablesAfter(before: JsonObject, parts: readonly RuntimePart[]): JsonObject {
  const written = parts.flatMap(part => (part.type === 'variable' ? [[part.key, part.value] as const] : []))
  return JSON.parse(JSON.stringify({ ...before, ...Object.fromEntries(written) }))
}
