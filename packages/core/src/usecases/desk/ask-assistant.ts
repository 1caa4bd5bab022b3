import type { ConversationState } from '../../domain/conversation/state.ts'
import { shortened } from '../../domain/cut-text.ts'
import type { HandoffId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import type { AssistedConversation, DeskAssistant } from '../../ports/desk-assistant.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'
import { readHistory } from '../conversation/turn/turn-input.ts'

/** Lines of a conversation that an assistant reads. */
const LINES = 200

/** Suggestions that a live agent is shown, and characters of each. */
const SUGGESTIONS = 3
const SUGGESTION_LENGTH = 1_000

/** The error with which an assistant is called off because it took too long. */
export class AssistantLate extends Error {
  override readonly name = 'AssistantLate'
}

/** @throws NOT_IMPLEMENTED if the host has no assistant */
export function requireAssistant({ deskAssistant }: Pick<Context, 'deskAssistant'>): DeskAssistant {
  if (deskAssistant !== null) return deskAssistant
  throw new PlatformError(
    'NOT_IMPLEMENTED',
    'There is no assistant for live agents. Hand one over as deskAssistant in createPlatform.',
  )
}

type Deps = Pick<Context, 'clock' | 'settings' | 'store'>

/** Reads a conversation for an assistant. */
async function readFor(
  { settings, store }: Deps,
  state: ConversationState,
  handoffId: HandoffId,
): Promise<AssistedConversation> {
  const { accountId, agentId, agentName, asrLanguage, handoff, id, record, ttsLanguage, visitor } = state
  const bounds = { lines: LINES, bytes: settings.limits.sliceBytes }
  return {
    ...{ accountId, agentId, conversationId: id, handoffId, agentName, visitor },
    reason: handoff?.id === handoffId ? handoff.reason : '',
    language: ttsLanguage ?? asrLanguage ?? record.language,
    lines: await readHistory(store.conversations, state, { type: 'greeting', turnId: '' }, bounds),
  }
}

const limitOf = ({ settings: { assistantTimeout: limit } }: Deps, outer: AbortSignal) => ({
  ...{ limit, outer },
  late: new AssistantLate(`The assistant did not answer within ${limit} ms.`),
})

/** Asks for a summary. Rejects when the assistant fails, takes too long or says nothing, and when `signal` aborts. */
export async function askForSummary(
  deps: Deps,
  assistant: DeskAssistant,
  { handoffId, signal, state }: Asked,
): Promise<string> {
  const conversation = await readFor(deps, state, handoffId)
  const text: unknown = await within(deps.clock, limitOf(deps, signal), limited =>
    assistant.summarize(conversation, limited),
  )
  if (typeof text !== 'string' || text.trim() === '')
    throw new TypeError('deskAssistant.summarize must return a text that is not blank.')
  return shortened(text.trim(), deps.settings.limits.summaryLength)
}

/** A conversation about which an assistant is asked. */
interface Asked {
  readonly handoffId: HandoffId
  readonly state: ConversationState
  readonly signal: AbortSignal
}

/** Asks for replies. Rejects as {@link askForSummary} does. */
export async function askForReplies(
  deps: Deps,
  assistant: DeskAssistant,
  { content, handoffId, signal, state }: Asked & { readonly content: AgentContent | null },
): Promise<readonly string[]> {
  const conversation = await readFor(deps, state, handoffId)
  const replies: unknown = await within(deps.clock, limitOf(deps, signal), limited =>
    assistant.suggest({ ...conversation, content }, limited),
  )
  if (!Array.isArray(replies)) throw new TypeError('deskAssistant.suggest must return a list of texts.')
  const texts = replies.map((reply: unknown) => (typeof reply === 'string' ? reply.trim() : ''))
  const shown = new Set(texts.filter(text => text !== '').map(text => shortened(text, SUGGESTION_LENGTH)))
  return [...shown].slice(0, SUGGESTIONS)
}
