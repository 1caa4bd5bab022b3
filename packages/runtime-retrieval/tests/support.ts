import type { JsonObject, Topic } from '@colloquy/core'
import type {
  AgentRuntime,
  FunctionCall,
  RuntimeInput,
  RuntimePart,
  RuntimeTurn,
} from '@colloquy/core/runtime'

/** A topic; what is not given is empty. */
export const topicOf = (
  name: string,
  content: string,
  queries: readonly string[] = [],
  more: Partial<Topic> = {},
): Topic & { readonly id: string } => ({
  id: `TOPIC-${name}`,
  name,
  content,
  actions: '',
  exampleQueries: [...queries],
  isActive: true,
  ...more,
})

/** What a function of a test does with its turn. */
export type FakeFunction = (
  turn: RuntimeTurn,
) => Partial<FunctionCall> & { readonly parts?: readonly RuntimePart[] }

/** What a conversation of a test is made of. */
export interface FakeConversation {
  readonly topics: readonly Topic[]
  readonly greeting?: string
  readonly language?: string
  /** What the agent's author has set of its response settings. */
  readonly settings?: Partial<RuntimeTurn['content']['responseSettings']>
  readonly attributes?: Readonly<Record<string, string>>
  readonly functions?: Readonly<Record<string, FakeFunction>>
  /** The queue of the newest handoff, once it was closed. */
  closedQueue?: RuntimeTurn['closedQueue']
  /** Queues that are closed, whether or not anyone was handed to them. */
  readonly closed?: Readonly<Record<string, NonNullable<RuntimeTurn['closedQueue']>>>
}

/** A turn's answer, taken apart. */
export interface Answer {
  readonly parts: readonly RuntimePart[]
  readonly text: string
  readonly cited: readonly string[]
  readonly nodes: readonly string[]
  readonly suggestions: readonly string[]
  readonly outOfDomain: boolean
  readonly handoff: string | null
  readonly variables: JsonObject
}

let revisions = 0

/** Talks to a runtime as the platform does: variables last from turn to turn, a function's parts belong to the turn. */
export function converse(runtime: AgentRuntime, conversation: FakeConversation) {
  revisions += 1
  const key = `revision ${revisions}`
  let variables: JsonObject = {}
  const ask = async (input: RuntimeInput, signal = new AbortController().signal): Promise<Answer> => {
    const parts: RuntimePart[] = []
    const take = (part: RuntimePart): void => {
      parts.push(part)
      if (part.type === 'variable') variables = { ...variables, [part.key]: part.value }
    }
    const turn = turnOf(conversation, { key, input }, () => variables, take)
    for await (const part of runtime.respond(turn, signal)) take(part)
    return takeApart(parts, variables)
  }
  return {
    greet: () => ask({ type: 'greeting' }),
    say: (text: string, signal?: AbortSignal) => ask({ type: 'message', messageId: 'message', text }, signal),
    event: (eventId: string) =>
      ask({
        type: 'external_event',
        eventId,
        contentType: 'text/plain',
        body: new TextEncoder().encode('paid'),
      }),
    ask,
    setVariables(values: JsonObject) {
      variables = values
    },
  }
}

function turnOf(
  conversation: FakeConversation,
  { key, input }: { readonly key: string; readonly input: RuntimeInput },
  variables: () => JsonObject,
  take: (part: RuntimePart) => void,
): RuntimeTurn {
  const greeting = conversation.greeting ?? 'Welcome'
  const turn: RuntimeTurn = {
    turnId: 'turn',
    conversationId: 'conversation',
    accountId: 'ws-1',
    agentId: 'PROJECT-1',
    environment: 'live',
    deploymentId: 'DEPLOYMENT-1',
    kind: 'messaging',
    channel: 'CHAT',
    language: conversation.language ?? 'en-GB',
    now: 0,
    input,
    content: {
      key,
      behavior: '',
      responseSettings: {
        ...{ greeting, languageCode: 'en-GB', voiceId: null, modelId: null },
        ...conversation.settings,
      },
      topics: conversation.topics.map((topic, index) => ({ ...topic, id: `TOPIC-${index}` })),
      tree: new Map(),
    },
    variant: { id: 'v', name: 'default', attributes: conversation.attributes ?? {} },
    get variables() {
      return variables()
    },
    visitor: null,
    verifiedContext: null,
    closedQueue: conversation.closedQueue ?? null,
    closedFor: async destination => conversation.closed?.[destination] ?? null,
    integrationAttributes: {},
    realTimeConfig: {},
    history: async () => [],
    readFile: async () => null,
    functions: Object.keys(conversation.functions ?? {}).map(name => ({
      name,
      description: '',
      parameters: { type: 'object' },
    })),
    async callFunction(name, args) {
      const idle = { said: false, concluded: false, expectedEventIds: [] }
      const event = { name, arguments: args, result: null, error: null, duration: 0, ...idle }
      const called = conversation.functions?.[name]
      if (called === undefined) return { ...event, error: `There is no function named ${name}.` }
      const { parts = [], ...outcome } = called(turn)
      for (const part of parts) take(part)
      return { ...event, ...outcome }
    },
    expectExternalEvent: async () => 'event',
  }
  return turn
}

function takeApart(parts: readonly RuntimePart[], variables: JsonObject): Answer {
  const handoff = parts.find(part => part.type === 'handoff')
  return {
    parts,
    text: parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
    cited: parts.flatMap(part => (part.type === 'topic' && part.cited ? [part.name] : [])),
    nodes: parts.flatMap(part => (part.type === 'node' ? [part.name] : [])),
    suggestions: parts.flatMap(part => (part.type === 'suggestion' ? [part.text] : [])),
    outOfDomain: parts.some(part => part.type === 'classification' && part.outOfDomain === true),
    handoff: handoff === undefined ? null : handoff.destination,
    variables,
  }
}
