import type { ConversationState } from '../../domain/conversation/state.ts'
import { askedSummary, type HandoffSummary } from '../../domain/conversation/summary.ts'
import type { AccountId, HandoffId } from '../../domain/ids.ts'
import { refuseOver } from '../access/limiters.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { requireAssistant } from './ask-assistant.ts'
import { notFound } from './desk-handoff.ts'
import { type DeskSummary, summaryOf } from './desk-summary.ts'
import { conversationOfHandoff } from './find-handoff.ts'
import { publishSummary } from './follow-handoff.ts'

type Deps = Pick<Context, 'clock' | 'rooms' | 'scheduler' | 'store'>
type Of = Pick<HandoffSummary, 'id' | 'conversationId' | 'accountId'>

/** Begins a summary that is written down beside everything else, and tells that it is pending. */
export function tellAsked(
  { clock, rooms, scheduler }: Omit<Deps, 'store'>,
  conversationId: HandoffSummary['conversationId'],
): void {
  scheduler.due('summaries', clock.now())
  publishSummary(rooms, conversationId)
}

/**
 * Writes down that a summary is to be made, and begins it beside everything else. Returns the one that is there if it
 * is not `again`; null when the conversation is gone.
 */
async function ask(
  { clock, rooms, scheduler, store }: Deps,
  of: Of,
  again: boolean,
): Promise<HandoffSummary | null> {
  const { summaries } = store.conversations
  for (;;) {
    const before = await summaries.find(of.id)
    if (before !== null && (before.status === 'pending' || !again)) return before
    const version = before?.version ?? 0
    const asked = askedSummary(of, clock.now(), version + 1)
    const saved = await summaries.save(asked, version)
    if (saved === 'missing') return null
    if (saved === 'stale') continue
    tellAsked({ clock, rooms, scheduler }, of.conversationId)
    return asked
  }
}

/**
 * Asks for the summary of a handoff that begins, if the host has an assistant. Never rejects: no handoff waits for it.
 */
export async function summarizeNew(
  context: Deps & Pick<Context, 'deskAssistant' | 'settings'>,
  of: Of,
): Promise<void> {
  if (context.deskAssistant === null) return
  await ask(context, of, false).catch(error => context.settings.onError(error, 'summary'))
}

/** Returns the summary of a handoff; null without one. */
export async function readSummary(
  { store }: Pick<Context, 'store'>,
  { accountId }: Pick<ConversationState, 'accountId'>,
  id: HandoffId,
): Promise<DeskSummary | null> {
  const found = await store.conversations.summaries.find(id)
  return found?.accountId === accountId ? summaryOf(found) : null
}

/** See `Desk.summarize`. */
export async function summarizeAgain(
  deps: Context & { readonly engine: Pick<Engine, 'load'> },
  accountId: AccountId,
  handoffId: string,
): Promise<DeskSummary> {
  requireAssistant(deps)
  const state = await conversationOfHandoff(deps, { accountId, handoffId })
  refuseOver(await deps.limiters.assistant.take(`${accountId} ${handoffId}`), 'summaries')
  const of = { id: handoffId, conversationId: state.id, accountId }
  const asked = await ask(deps, of, true)
  if (asked === null) throw notFound(handoffId)
  return summaryOf(asked)
}
