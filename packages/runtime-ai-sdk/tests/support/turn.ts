import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { JsonObject, Topic } from '@colloquy/core'
import type {
  AgentContent,
  AgentRuntime,
  FunctionCall,
  HistoryLine,
  RuntimePart,
  RuntimeTurn,
} from '@colloquy/core/runtime'
import { aRuntimeTurn, createFakeClock } from '@colloquy/core/testing'
import { type Answer, startFakeOpenAi } from '@colloquy/test-support/fake-openai'
import { createAiSdkRuntime } from '../../src/index.ts'
import type { AiSdkRuntimeOptions } from '../../src/options.ts'

/** A topic of the tests' hotel. */
export const topic = (
  name: string,
  content: string,
  values: Partial<Topic> = {},
): Topic & { readonly id: string } => ({
  id: name,
  name,
  content,
  actions: '',
  exampleQueries: [`Tell me about ${name.toLowerCase()}`],
  isActive: true,
  ...values,
})

export const TOPICS = [
  topic('Breakfast', 'Breakfast is served from seven to ten in the garden room.'),
  topic('Parking', 'The car park behind the house costs twelve pounds a night.'),
  topic('Speak to a person', 'Our hosts are glad to help.', {
    actions: 'Ask for the room number first. {{ho:reception}}',
    exampleQueries: ['Can I speak to a human?'],
  }),
  topic('Pay the deposit', 'A deposit of fifty pounds is due on arrival.', {
    actions: 'Use {{fn:take_deposit}} with {{attr:hotel_name}}.',
    exampleQueries: ['I want to pay my deposit'],
  }),
  topic('Old pool', 'The pool is closed for ever.', { isActive: false, actions: '{{ho:nowhere}}' }),
]

/** What a test's turn differs in. */
export interface TurnInput {
  readonly text?: string
  readonly input?: RuntimeTurn['input']
  readonly behavior?: string
  readonly greeting?: string
  readonly topics?: AgentContent['topics']
  readonly attributes?: Readonly<Record<string, string>>
  readonly history?: readonly HistoryLine[]
  readonly variables?: JsonObject
  readonly integrationAttributes?: JsonObject
  readonly realTimeConfig?: JsonObject
  readonly closedQueue?: NonNullable<RuntimeTurn['closedQueue']>
  /** The queue of every handoff, if it is closed. */
  readonly closed?: NonNullable<RuntimeTurn['closedQueue']>
  readonly functions?: Readonly<
    Record<string, (args: JsonObject) => Partial<FunctionCall> | Promise<Partial<FunctionCall>>>
  >
  readonly parameters?: JsonObject
}

/** A call of a function that a turn has made. */
export interface MadeCall {
  readonly name: string
  readonly args: JsonObject
}

/** A turn whose functions note their calls. Its variables follow the parts as the platform's do. */
export function makeTurn(values: TurnInput, calls: MadeCall[] = []): RuntimeTurn {
  const { functions = {}, history = [], greeting = 'Welcome to {{attr:hotel_name}}!' } = values
  const input: RuntimeTurn['input'] = values.input ?? {
    type: 'message',
    messageId: 'm1',
    text: values.text ?? 'Hello',
  }
  const base = aRuntimeTurn(input)
  return {
    ...base,
    content: {
      ...base.content,
      behavior: values.behavior ?? 'You are the desk of {{attr:hotel_name}}.',
      topics: values.topics ?? TOPICS,
      responseSettings: { ...base.content.responseSettings, greeting },
    },
    variant: { id: 'v', name: 'v', attributes: values.attributes ?? { hotel_name: 'Harbour Hotel' } },
    variables: values.variables ?? {},
    integrationAttributes: values.integrationAttributes ?? {},
    realTimeConfig: values.realTimeConfig ?? {},
    closedQueue: values.closedQueue ?? null,
    closedFor: async () => values.closed ?? null,
    history: async limit => history.slice(-limit),
    functions: Object.keys(functions).map(name => ({
      name,
      description: `Does ${name}.`,
      parameters: values.parameters ?? { type: 'object' },
    })),
    async callFunction(name, args) {
      calls.push({ name, args })
      const made = await functions[name]?.(args)
      return {
        name,
        arguments: args,
        result: null,
        error: made === undefined ? `There is no function named ${name}.` : null,
        duration: 1,
        said: false,
        concluded: false,
        expectedEventIds: [],
        ...made,
      }
    },
  }
}

/** All parts of an answer. */
export async function partsOf(
  runtime: AgentRuntime,
  turn: RuntimeTurn,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly RuntimePart[]> {
  const parts: RuntimePart[] = []
  for await (const part of runtime.respond(turn, signal)) parts.push(part)
  return parts
}

export const textOf = (parts: readonly RuntimePart[]): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')

export const requestsOf = (parts: readonly RuntimePart[]): readonly JsonObject[] =>
  parts.flatMap(part => (part.type === 'llm_request' ? [part.request] : []))

/** A runtime over a fake server that gives these answers, with a clock that stands until it is moved. */
export async function withServer(answers: readonly Answer[], options: Partial<AiSdkRuntimeOptions> = {}) {
  const server = await startFakeOpenAi(answers)
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: server.baseURL,
    apiKey: 'key-of-the-test',
    includeUsage: true,
  })
  const clock = createFakeClock()
  const runtime = createAiSdkRuntime({ model: provider('fake-model'), clock, ...options })
  return { server, clock, runtime, model: provider('fake-model') }
}
