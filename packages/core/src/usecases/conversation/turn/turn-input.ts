import type { TestCase } from '../../../domain/agent/test-case.ts'
import type { ConversationEvent, CustomMetadata } from '../../../domain/conversation/event.ts'
import { readByAgent } from '../../../domain/conversation/guarded-lines.ts'
import { filesBeside, filesOfEvent } from '../../../domain/conversation/sent-files.ts'
import { isSilence } from '../../../domain/conversation/spoken.ts'
import type { ActiveTurn, ConversationState, TurnInput } from '../../../domain/conversation/state.ts'
import { textOfEvent } from '../../../domain/conversation/transcript.ts'
import { isJsonObject, type JsonObject } from '../../../domain/json.ts'
import { utf8Bytes } from '../../../domain/utf8-bytes.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentContent, HistoryLine, RuntimeInput, RuntimeTurn } from '../../../ports/agent-runtime.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import { eventAt, newestFirst } from './read-log.ts'

/** An input with its content from the log or the store. */
export interface LoadedInput {
  readonly input: RuntimeInput
  readonly text: string
  readonly custom: CustomMetadata | null
  /** The caller's metadata for the functions of this turn alone (TC12). */
  readonly metadata: JsonObject
  readonly receivedAt: number
}

const metadataOf = ({ payload: { metadata } }: ConversationEvent): JsonObject =>
  isJsonObject(metadata) ? metadata : {}

/** A turn as far as its input says. */
type InputOf = Pick<ActiveTurn, 'input' | 'startedAt'>

function messageOf(
  { messageId, receivedAt }: Extract<TurnInput, { type: 'message' }>,
  event: ConversationEvent,
): LoadedInput {
  const { custom } = event
  const text = isSilence(custom) ? '' : textOfEvent(event)
  return {
    input: { type: 'message', messageId, text, ...filesBeside({ files: filesOfEvent(event) }) },
    text,
    custom,
    metadata: metadataOf(event),
    receivedAt,
  }
}

const greetingOf = ({ startedAt }: InputOf): LoadedInput => ({
  input: { type: 'greeting' },
  text: '',
  custom: null,
  metadata: {},
  receivedAt: startedAt,
})

/** Returns the input if its content is among `recent`, events in memory. Null if it has to be read. */
export function inputAtHand(turn: InputOf, recent: readonly ConversationEvent[]): LoadedInput | null {
  const { input } = turn
  if (input.type === 'greeting') return greetingOf(turn)
  if (input.type !== 'message') return null
  const event = recent.find(({ sequence }) => sequence === input.sequence)
  return event === undefined ? null : messageOf(input, event)
}

/** Reads the content of an input. */
export async function readInput(
  store: ConversationStore,
  { id }: Pick<ConversationState, 'id'>,
  turn: InputOf,
): Promise<LoadedInput> {
  const { input } = turn
  switch (input.type) {
    case 'greeting':
      return greetingOf(turn)
    case 'message': {
      const event = await eventAt(store, id, input.sequence)
      if (event === null) throw new PlatformError('INTERNAL', 'The message of the turn is not in the log.')
      return messageOf(input, event)
    }
    case 'external_event': {
      const event = await store.externalEvents.find(input.eventId)
      if (event === null)
        throw new PlatformError('INTERNAL', 'The external event of the turn is not in the store.')
      const { eventId, contentType, body } = event
      return {
        input: { type: 'external_event', eventId, contentType, body },
        text: '',
        custom: null,
        metadata: {},
        receivedAt: input.receivedAt,
      }
    }
  }
}

const SPEAKERS: Partial<Record<ConversationEvent['type'], HistoryLine['from']>> = {
  USER_MESSAGE: 'visitor',
  AI_AGENT_MESSAGE: 'ai_agent',
  AI_AGENT_MESSAGE_CHUNK: 'ai_agent',
  LIVE_AGENT_MESSAGE: 'live_agent',
}

/** Names the live agent of an event beside its line. */
function agentBeside({ payload, type }: ConversationEvent): Pick<HistoryLine, 'agent'> {
  const { agent_id: id, agent_name: name } = payload
  if (type !== 'LIVE_AGENT_MESSAGE' || typeof id !== 'string') return {}
  return { agent: typeof name === 'string' ? { id, name } : { id } }
}

/**
 * Returns the newest lines of the transcript before the turn's own input, as many as fit into a number of bytes, at
 * least one (EN45). Later messages of the visitor get turns of their own. With `judged`, a visitor's line is as the
 * guard left it, and one that waits for the guard is left out (GU5).
 */
export async function readHistory(
  store: Pick<ConversationStore, 'eventsBefore'>,
  state: ConversationState,
  input: TurnInput,
  {
    lines: limit,
    bytes,
    judged = false,
  }: { readonly lines: number; readonly bytes: number; readonly judged?: boolean },
): Promise<readonly HistoryLine[]> {
  const waiting = judged ? [input, ...state.pending] : [input]
  const own = waiting.find(one => one.type === 'message')?.sequence ?? Number.POSITIVE_INFINITY
  const lines: HistoryLine[] = []
  if (limit < 1) return lines
  let length = 0
  // The log has other events between the lines; reading about twice as many events suffices for nearly all logs.
  for await (const event of newestFirst(store, state.id, state.sequence, limit * 2 + 20)) {
    const from = SPEAKERS[event.type]
    if (from === undefined || (from === 'visitor' && event.sequence >= own)) continue
    const { sequence } = event
    if (judged && sequence <= (state.guarded?.after ?? 0)) break
    const said = textOfEvent(event)
    const text = judged ? readByAgent(state.guarded, { sequence, text: said }) : said
    if (text === null) continue
    length += utf8Bytes(text)
    if (lines.length > 0 && length > bytes) break
    const files = filesBeside({ files: filesOfEvent(event) })
    lines.push({ from, text, at: event.at, ...files, ...agentBeside(event) })
    if (lines.length === limit) break
  }
  return lines.reverse()
}

type TurnVariant = RuntimeTurn['variant']

/** Variants of contents that are in memory: every turn has one. */
const variantsIn = new WeakMap<AgentContent, Map<string, TurnVariant>>()

/**
 * Returns the conversation's variant with its attribute values by name. Null when the content has no variant with that
 * id.
 */
export function variantOf(content: AgentContent, variantId: string | null): TurnVariant {
  if (variantId === null) return null
  const known = variantsIn.get(content) ?? new Map<string, TurnVariant>()
  variantsIn.set(content, known)
  const found = known.get(variantId)
  if (found !== undefined) return found
  const variant = readVariant(content, variantId)
  known.set(variantId, variant)
  return variant
}

function readVariant(content: AgentContent, variantId: string): TurnVariant {
  const resource = content.tree.get(`variants/${variantId}`)
  if (resource?.kind !== 'variants') return null
  const attributes = Object.entries(resource.value.attributeValues).flatMap(([id, value]) => {
    const attribute = content.tree.get(`attributes/${id}`)
    return attribute?.kind === 'attributes' ? [[attribute.value.name, value] as const] : []
  })
  // Shared by turns: frozen, so that a runtime that writes to it gets an error.
  return Object.freeze({
    id: resource.id,
    name: resource.value.name,
    attributes: Object.freeze(Object.fromEntries(attributes)),
  })
}

/**
 * Returns the test case that the conversation runs. Null outside of tests.
 * @throws TEST_CASE_NOT_FOUND when the content lacks it: a branch may have been edited since (TE251)
 */
export function testCaseOf(content: AgentContent, { kind, testCaseId }: ConversationState): TestCase | null {
  if (kind !== 'test') return null
  const resource = content.tree.get(`test_cases/${testCaseId}`)
  if (resource?.kind === 'test_cases') return resource.value
  throw new PlatformError('TEST_CASE_NOT_FOUND', `The content has no test case ${testCaseId}.`)
}

/** Returns the variant with its attributes. Values that functions have set take precedence over its own (FN11). */
export const withAttributes = (
  variant: RuntimeTurn['variant'],
  set: Readonly<Record<string, string>>,
): RuntimeTurn['variant'] =>
  variant === null || Object.keys(set).length === 0
    ? variant
    : { ...variant, attributes: { ...variant.attributes, ...set } }
