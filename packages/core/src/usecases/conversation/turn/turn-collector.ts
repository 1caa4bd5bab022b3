import type { TurnReply } from '../../../domain/conversation/command.ts'
import type {
  WireAttachment,
  WireCallAction,
  WireSuggestion,
} from '../../../domain/conversation/event-payloads.ts'
import type { FunctionEffect } from '../../../domain/conversation/function-effect.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { recordedConfig } from '../../../domain/conversation/turn-recording.ts'
import type { CheckedVerdict } from '../../../domain/guard/guard-verdict.ts'
import type { Json, JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionEvent, RuntimePart } from '../../../ports/agent-runtime.ts'
import { attachmentOnWire, callActionOnWire, suggestionOnWire } from './beside-text.ts'
import { jsonOfParts } from './parts-json.ts'
import {
  answeredTurn,
  failedTurn,
  type InputFacts,
  type StatedFailure,
  type TurnTrace,
} from './turn-record.ts'
import { checkSizes, type TurnWrites, withMetric } from './turn-writes.ts'

/** The facts that a reply needs besides its text. */
export interface TurnFacts extends InputFacts {
  readonly messageId: string
  readonly chunks: readonly string[] | null
}

const NONE: readonly never[] = []

/** Returns the list with one more value. Creates it for the first: most turns have nothing for most of their lists. */
function added<Value>(list: Value[] | null, value: Value): Value[] {
  if (list === null) return [value]
  list.push(value)
  return list
}

/** Limits of one turn's answer; see `Settings.limits`. */
export interface TurnLimits {
  readonly replyLength: number
  readonly variableBytes: number
}

/**
 * Collects everything that a runtime and the functions it called have said in one turn so far. Long because every type
 * of part is one case, and all contribute to one reply.
 */
export class TurnCollector {
  readonly #state: ConversationState
  readonly #limits: TurnLimits
  #recorded: JsonObject | null | undefined
  #writes: TurnWrites
  #text = ''
  #handoff: TurnReply['handoff'] = null
  #end = false
  #language: string | null = null
  #silence = false
  #outOfDomain = false
  #delayed = false
  #citedTopic = ''
  #attachments: WireAttachment[] | null = null
  #suggestions: WireSuggestion[] | null = null
  #callActions: WireCallAction[] | null = null
  #expected: string[] | null = null
  #topics: readonly string[] = NONE
  #sources: string[] | null = null
  #nodes: string[] | null = null
  #intents: string[] | null = null
  #functions: JsonObject[] | null = null
  #effects: Json[] | null = null
  #llmRequests: JsonObject[] | null = null

  /** @param recorded whether the turn is recorded with what lets it be asked again */
  constructor(state: ConversationState, limits: TurnLimits, recorded: boolean) {
    const { variables, metrics, integrationAttributes, setAttributes } = state
    this.#state = state
    this.#limits = limits
    this.#recorded = recorded ? {} : undefined
    this.#writes = { variables, metrics, integrationAttributes, setAttributes }
  }

  /** The turn's writes, merged over the writes of earlier turns. Another object after each write. */
  get writes(): TurnWrites {
    return this.#writes
  }

  /** Notes the real-time config that the turn reads, if the turn is recorded. */
  reads(config: JsonObject): void {
    if (this.#recorded !== undefined) this.#recorded = recordedConfig(config)
  }

  /** @throws AGENT_FAILED when the reply would be too long */
  add(part: RuntimePart): void {
    switch (part.type) {
      case 'text':
        this.#say(part.text)
        return
      case 'suggestion':
        this.#suggestions = added(this.#suggestions, suggestionOnWire(part))
        return
      case 'attachment':
        this.#attachments = added(this.#attachments, attachmentOnWire(part.attachment))
        return
      case 'call_action':
        this.#callActions = added(this.#callActions, callActionOnWire(part.action))
        return
      case 'variable':
        this.#write({ variables: { ...this.#writes.variables, [part.key]: part.value } })
        return
      case 'metric':
        this.#write({ metrics: withMetric(this.#writes.metrics, part.name, part.value) })
        return
      case 'integration_attribute':
        this.#write({
          integrationAttributes: { ...this.#writes.integrationAttributes, [part.key]: part.value },
        })
        return
      case 'variant_attribute':
        this.#write({ setAttributes: { ...this.#writes.setAttributes, [part.name]: part.value } })
        return
      case 'topic':
        this.#topics = withTopic(this.#topics, part)
        if (part.cited) this.#citedTopic = part.name
        return
      case 'source':
        this.#sources = added(this.#sources, part.name)
        return
      case 'node':
        this.#nodes = added(this.#nodes, part.name)
        return
      case 'llm_request':
        this.#llmRequests = added(this.#llmRequests, part.request)
        return
      case 'classification':
        this.#outOfDomain = part.outOfDomain ?? this.#outOfDomain
        this.#silence = part.silence ?? this.#silence
        for (const intent of part.intents ?? NONE) this.#intents = added(this.#intents, intent)
        return
      case 'language':
        this.#language = part.languageCode
        return
      case 'delayed':
        this.#delayed = true
        return
      case 'handoff':
        this.#handoff = { destination: part.destination, reason: part.reason }
        return
      case 'end':
        this.#end = true
    }
  }

  called({ duration, ...call }: FunctionEvent, effects: readonly FunctionEffect[]): void {
    this.#functions = added(this.#functions, { ...call, duration_ms: duration })
    this.#effects = added(this.#effects, jsonOfParts(effects))
  }

  expects(eventId: string): void {
    this.#expected = added(this.#expected, eventId)
  }

  /** @throws AGENT_FAILED when the turn has no answer without a reason for it */
  reply(facts: TurnFacts): TurnReply {
    const [text, end, delayed] = [this.#text, this.#end, this.#delayed]
    const shows = this.#attachments !== null || this.#callActions !== null
    if (!shows && text.trim() === '' && !delayed && this.#handoff === null && !end) {
      throw new PlatformError('AGENT_FAILED', 'The agent runtime ended the turn without an answer.')
    }
    checkSizes(this.#state, this.#writes, this.#limits.variableBytes, 'AGENT_FAILED')
    // The end has the last word (FN14).
    const handoff = end ? null : this.#handoff
    const [language, silence, outOfDomain] = [this.#language, this.#silence, this.#outOfDomain]
    const { variables, metrics, integrationAttributes, setAttributes } = this.#writes
    const wrote = { variables, metrics, integrationAttributes, setAttributes }
    const recorded = this.#recorded
    const ended = { text, handoff, end, language, silence, outOfDomain, delayed, recorded, ...wrote }
    return {
      text,
      messageId: facts.messageId,
      attachments: this.#attachments ?? NONE,
      suggestions: this.#suggestions ?? NONE,
      callActions: this.#callActions ?? NONE,
      chunks: facts.chunks,
      variables,
      metrics,
      integrationAttributes,
      setAttributes,
      language,
      expectedEvents: this.#expected?.slice() ?? NONE,
      handoff,
      end,
      silence,
      outOfDomain,
      turn: answeredTurn(this.#state, facts, this.#trace(), ended),
    }
  }

  /** The text so far, and what is shown below it. */
  get shown(): { readonly text: string; readonly beside: readonly string[] } {
    const beside = [
      ...(this.#suggestions ?? NONE).map(({ message_text: text }) => text),
      ...(this.#attachments ?? NONE).flatMap(card => [
        ...[card.title, card.call_to_action_text, card.content_url, card.preview_image_url],
      ]),
      ...(this.#callActions ?? NONE).flatMap(({ contact_number: number, title }) => [title, number]),
    ]
    return { text: this.#text, beside: beside.filter(text => text !== '') }
  }

  /** Applies a verdict on the reply, or on the message instead of a reply (GU2, GU3). */
  judged(given: Exclude<CheckedVerdict, { readonly verdict: 'allow' }>): void {
    this.#text = given.text
    if (given.verdict === 'change') return
    this.#attachments = null
    this.#suggestions = null
    this.#callActions = null
    if (given.verdict === 'refuse') return
    this.#handoff = { destination: given.destination, reason: given.reason }
    this.#end = false
  }

  /** Returns the stored form of a failed turn. */
  failed(facts: InputFacts, failure: StatedFailure): StoredTurn {
    return failedTurn(this.#state, facts, this.#trace(), { ...failure, recorded: this.#recorded })
  }

  #say(text: string): void {
    const { replyLength } = this.#limits
    if (this.#text.length + text.length > replyLength)
      throw new PlatformError('AGENT_FAILED', `The reply is longer than ${replyLength} characters.`)
    this.#text += text
  }

  #write(written: Partial<TurnWrites>): void {
    this.#writes = { ...this.#writes, ...written }
  }

  #trace(): TurnTrace {
    return {
      topics: this.#topics,
      sources: this.#sources ?? NONE,
      citedTopic: this.#citedTopic,
      nodes: this.#nodes ?? NONE,
      intents: this.#intents ?? NONE,
      functions: this.#functions ?? NONE,
      effects: this.#effects ?? NONE,
      llmRequests: this.#llmRequests ?? NONE,
    }
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
