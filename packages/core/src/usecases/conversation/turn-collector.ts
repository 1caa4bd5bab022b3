import type { TurnReply } from '../../domain/conversation/command.ts'
import { projectTurn } from '../../domain/conversation/project-turn.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { Attachment, FunctionEvent, RuntimePart } from '../../ports/agent-runtime.ts'

/** Everything that a runtime and the functions it called have said in one turn so far. */
export interface TurnCollector {
  readonly variables: JsonObject
  add(part: RuntimePart): void
  called(event: FunctionEvent): void
  expects(eventId: string): void
  /** @throws AGENT_FAILED when the turn says nothing and has no reason for it */
  reply(input: TurnFacts): TurnReply
}

/** What the turn's record needs besides what was said. */
export interface TurnFacts {
  readonly messageId: string
  readonly chunks: readonly string[] | null
  readonly inputType: string
  readonly userInput: string
  readonly userInputAt: number
  readonly now: number
}

const wireAttachment = (attachment: Attachment): JsonObject => ({
  title: attachment.title,
  content_type:
    attachment.contentType === 'image' ? 'ATTACHMENT_CONTENT_TYPE_IMAGE' : 'ATTACHMENT_CONTENT_TYPE_URL',
  content_url: attachment.contentUrl,
  preview_image_url: attachment.previewImageUrl,
  call_to_action_text: attachment.callToActionText,
})

/** Limits of one turn's answer; see `Settings.limits`. */
export interface TurnLimits {
  readonly replyLength: number
  readonly variableBytes: number
}

type Mutable = { -readonly [Key in keyof TurnReply]: TurnReply[Key] }

export function createTurnCollector(state: ConversationState, limits: TurnLimits): TurnCollector {
  const said: Pick<Mutable, 'handoff' | 'end' | 'language' | 'silence' | 'outOfDomain'> & {
    delayed: boolean
    text: string
  } = {
    handoff: null,
    end: false,
    language: null,
    silence: false,
    outOfDomain: false,
    delayed: false,
    text: '',
  }
  const lists = {
    attachments: [] as JsonObject[],
    suggestions: [] as string[],
    expected: [] as string[],
    topics: [] as string[],
    sources: [] as string[],
    nodes: [] as string[],
    intents: [] as string[],
    functions: [] as JsonObject[],
    llmRequests: [] as JsonObject[],
  }
  let variables: JsonObject = state.variables
  let metrics = state.metrics
  let citedTopic = ''

  function add(part: RuntimePart): void {
    switch (part.type) {
      case 'text':
        said.text += part.text
        if (said.text.length > limits.replyLength) {
          throw new PlatformError('AGENT_FAILED', `A reply has at most ${limits.replyLength} characters.`)
        }
        return
      case 'suggestion':
        lists.suggestions.push(part.text)
        return
      case 'attachment':
        lists.attachments.push(wireAttachment(part.attachment))
        return
      case 'variable':
        variables = { ...variables, [part.key]: part.value }
        return
      case 'metric':
        metrics = { ...metrics, [part.name]: addMetric(metrics[part.name], part.value) }
        return
      case 'topic':
        lists.topics = withTopic(lists.topics, part)
        if (part.cited) citedTopic = part.name
        return
      case 'source':
        lists.sources.push(part.name)
        return
      case 'node':
        lists.nodes.push(part.name)
        return
      case 'llm_request':
        lists.llmRequests.push(part.request)
        return
      case 'classification':
        said.outOfDomain = part.outOfDomain ?? said.outOfDomain
        said.silence = part.silence ?? said.silence
        lists.intents.push(...(part.intents ?? []))
        return
      case 'language':
        said.language = part.languageCode
        return
      case 'delayed':
        said.delayed = true
        return
      case 'handoff':
        said.handoff = { destination: part.destination, reason: part.reason }
        return
      case 'end':
        said.end = true
    }
  }

  function reply(facts: TurnFacts): TurnReply {
    const { delayed, ...rest } = said
    const silent = rest.text.trim() === '' && lists.attachments.length === 0
    if (silent && !delayed && rest.handoff === null && !rest.end) {
      throw new PlatformError('AGENT_FAILED', 'The agent runtime ended the turn without an answer.')
    }
    // Most turns write nothing; what stood there before was weighed when it was written.
    if (variables !== state.variables && bytesOf(variables) > limits.variableBytes) {
      throw new PlatformError(
        'AGENT_FAILED',
        `Conversation state has at most ${limits.variableBytes} bytes of JSON.`,
      )
    }
    const record = projectTurn({
      userInput: facts.userInput,
      userInputAt: facts.userInputAt,
      agentResponse: rest.text,
      agentResponseAt: facts.now,
      intents: lists.intents,
      outOfDomain: rest.outOfDomain,
      silence: rest.silence,
    })
    const details = {
      turn_id: state.turn?.id ?? '',
      deployment_id: state.deploymentId ?? '',
      input_type: facts.inputType,
      delayed,
      retrieved_topics: lists.topics,
      retrieved_sources: lists.sources,
      cited_topic: citedTopic,
      node_trace: lists.nodes,
      function_events: lists.functions,
      llm_requests: lists.llmRequests,
      handoff_destination: rest.handoff?.destination ?? '',
      ends: rest.end,
      // Only a debug chat shows a turn's own state again; others would keep it twice for nobody.
      ...(state.kind === 'debug'
        ? { state: variables, metrics, language: rest.language ?? state.record.language ?? '' }
        : {}),
    }
    return {
      ...rest,
      messageId: facts.messageId,
      attachments: lists.attachments,
      suggestions: lists.suggestions,
      chunks: facts.chunks,
      variables,
      metrics,
      expectedEvents: lists.expected,
      turn: { record, details },
    }
  }

  return {
    get variables() {
      return variables
    },
    add,
    called(event) {
      const { duration, ...call } = event
      lists.functions.push({ ...call, duration_ms: duration })
    },
    expects(eventId) {
      lists.expected.push(eventId)
    },
    reply,
  }
}

const bytesOf = (value: JsonObject): number => new TextEncoder().encode(JSON.stringify(value)).length

/** Topics in the order in which they were looked at, each once; the one that the reply rests on comes first. */
function withTopic(
  topics: readonly string[],
  { name, cited }: { readonly name: string; readonly cited: boolean },
) {
  if (!cited) return topics.includes(name) ? [...topics] : [...topics, name]
  return [name, ...topics.filter(other => other !== name)]
}

/** A metric written again keeps all its values, in the order in which they came. */
function addMetric(
  before: string | readonly string[] | undefined,
  value: string,
): string | readonly string[] {
  if (before === undefined) return value
  return typeof before === 'string' ? [before, value] : [...before, value]
}

/** A plain copy of what a function returned; null for undefined. @throws TypeError for what JSON cannot carry */
export function toJson(value: unknown): Json {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  if (text === undefined)
    throw new TypeError('A function must return JSON: objects, arrays, strings, numbers, booleans or null.')
  return JSON.parse(text)
}
