import type { TurnReply } from '../../../domain/conversation/command.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionEvent, RuntimePart } from '../../../ports/agent-runtime.ts'
import { attachmentOnWire, callActionOnWire, suggestionOnWire } from './beside-text.ts'
import {
  answeredTurn,
  failedTurn,
  type InputFacts,
  type StatedFailure,
  type TurnTrace,
} from './turn-record.ts'
import { checkSizes, type TurnWrites, withMetric } from './turn-writes.ts'

/** Everything that a runtime and the functions it called have said in one turn so far. */
export interface TurnCollector {
  /** What the turn has written, merged over what earlier turns wrote. */
  readonly writes: TurnWrites
  /** @throws AGENT_FAILED when the reply would be too long */
  add(part: RuntimePart): void
  called(event: FunctionEvent): void
  expects(eventId: string): void
  /** @throws AGENT_FAILED when the turn says nothing and has no reason for it */
  reply(input: TurnFacts): TurnReply
  /** The record of the turn when it has failed. */
  failed(input: InputFacts, failure: StatedFailure): StoredTurn
}

/** What a reply needs besides what was said. */
export interface TurnFacts extends InputFacts {
  readonly messageId: string
  readonly chunks: readonly string[] | null
}

/** Limits of one turn's answer; see `Settings.limits`. */
export interface TurnLimits {
  readonly replyLength: number
  readonly variableBytes: number
}

type Mutable = { -readonly [Key in keyof TurnReply]: TurnReply[Key] }

/** Collects the parts of one turn. Long because every type of part is one case, and all contribute to one reply. */
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
    suggestions: [] as JsonObject[],
    callActions: [] as JsonObject[],
    expected: [] as string[],
    topics: [] as string[],
    sources: [] as string[],
    nodes: [] as string[],
    intents: [] as string[],
    functions: [] as JsonObject[],
    llmRequests: [] as JsonObject[],
  }
  let { variables, metrics, integrationAttributes, setAttributes }: TurnWrites = state
  let citedTopic = ''

  function add(part: RuntimePart): void {
    switch (part.type) {
      case 'text':
        if (said.text.length + part.text.length > limits.replyLength) {
          throw new PlatformError(
            'AGENT_FAILED',
            `The reply is longer than ${limits.replyLength} characters.`,
          )
        }
        said.text += part.text
        return
      case 'suggestion':
        lists.suggestions.push(suggestionOnWire(part))
        return
      case 'attachment':
        lists.attachments.push(attachmentOnWire(part.attachment))
        return
      case 'call_action':
        lists.callActions.push(callActionOnWire(part.action))
        return
      case 'variable':
        variables = { ...variables, [part.key]: part.value }
        return
      case 'metric':
        metrics = withMetric(metrics, part.name, part.value)
        return
      case 'integration_attribute':
        integrationAttributes = { ...integrationAttributes, [part.key]: part.value }
        return
      case 'variant_attribute':
        setAttributes = { ...setAttributes, [part.name]: part.value }
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

  const written = (): TurnWrites => ({ variables, metrics, integrationAttributes, setAttributes })
  const trace = (): TurnTrace => {
    const { topics, sources, nodes, intents, functions, llmRequests } = lists
    return { topics, sources, citedTopic, nodes, intents, functions, llmRequests }
  }

  function reply(facts: TurnFacts): TurnReply {
    const { text, end, language, silence, outOfDomain } = said
    const { attachments, suggestions, callActions } = lists
    const silent = attachments.length + callActions.length === 0 && text.trim() === ''
    if (silent && !said.delayed && said.handoff === null && !end) {
      throw new PlatformError('AGENT_FAILED', 'The agent runtime ended the turn without an answer.')
    }
    checkSizes(state, written(), limits.variableBytes, 'AGENT_FAILED')
    // The end has the last word (FN14).
    const handoff = end ? null : said.handoff
    const { delayed } = said
    const ended = { text, handoff, end, language, silence, outOfDomain, delayed, variables, metrics }
    return {
      text,
      messageId: facts.messageId,
      attachments,
      suggestions,
      callActions,
      chunks: facts.chunks,
      variables,
      metrics,
      integrationAttributes,
      setAttributes,
      language,
      expectedEvents: lists.expected.slice(),
      handoff,
      end,
      silence,
      outOfDomain,
      turn: answeredTurn(state, facts, trace(), ended),
    }
  }

  return {
    get writes() {
      return written()
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
    failed: (facts, failure) => failedTurn(state, facts, trace(), failure),
  }
}

/** Topics in the order of retrieval, without duplicates; the cited one comes first. */
function withTopic(
  topics: readonly string[],
  { name, cited }: { readonly name: string; readonly cited: boolean },
) {
  if (!cited) return topics.includes(name) ? [...topics] : [...topics, name]
  return [name, ...topics.filter(other => other !== name)]
}
