import { recordingOnWire } from '../../domain/conversation/call-recording.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import { eventOf } from '../../domain/conversation/event.ts'
import { handoffIdOf } from '../../domain/conversation/handoff-id.ts'
import { projectRecord } from '../../domain/conversation/project-record.ts'
import { filesOfEvent } from '../../domain/conversation/sent-files.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { transcriptLine } from '../../domain/conversation/transcript.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { isoTime } from '../../domain/time.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { fileLines } from './file-lines.ts'
import { conversationsOf, pairsOf } from './visitor-conversations.ts'
import { keyOfVisitor, type VisitorInput, wayOf } from './visitor-input.ts'

/** A line of an export of a visitor's data. `type` says what it is. */
export type VisitorLine = JsonObject & { readonly type: string }

type Reader = Pick<Context, 'clock' | 'files' | 'store' | 'settings' | 'recordings'>

/** Events that are read at once. */
const EVENTS = 500

/** Returns the record of a conversation, with what the host has told about its visitor. */
function conversationLine(state: ConversationState, of: JsonObject): VisitorLine {
  const { summary, details } = projectRecord(state)
  const { arrival, handedOff, integrationAttributes, verifiedContext } = state
  const told = { integration_attributes: integrationAttributes, verified_context: verifiedContext }
  const handoff = handedOff === null ? null : { shared_id: handedOff.sharedId, data: handedOff.data }
  const came = {
    page: arrival?.page ? { ...arrival.page } : null,
    device: arrival?.device ? { ...arrival.device } : null,
  }
  return { type: 'conversation', ...came, ...of, ...summary, ...details, ...told, handoff_state: handoff }
}

/** Returns what was said. Each file follows the first message that names it. */
async function* messageLines(
  context: Reader,
  key: ConversationId,
  of: JsonObject,
): AsyncGenerator<VisitorLine> {
  const { store, settings } = context
  const had = new Set<string>()
  const bounds = { count: EVENTS, bytes: settings.limits.sliceBytes }
  for (let [after, more] = [0, true]; more; ) {
    const page = await store.conversations.eventPage(key, after, bounds)
    for (const stored of page.events) {
      const event = eventOf(stored)
      const line = transcriptLine(event)
      if (line === null) continue
      yield { type: 'message', ...of, ...line, at: isoTime(line.at) }
      for (const file of filesOfEvent(event)) {
        if (had.has(file.file_id)) continue
        had.add(file.file_id)
        yield* fileLines(context, of, file)
      }
    }
    after = page.events.at(-1)?.sequence ?? after
    more = page.more
  }
}

async function* turnLines(
  { store, settings }: Reader,
  key: ConversationId,
  of: JsonObject,
): AsyncGenerator<VisitorLine> {
  for (let [after, more] = [0, true]; more; ) {
    const page = await store.conversations.turnPage(key, after, settings.limits.sliceBytes)
    for (const [at, { details, record }] of page.turns.entries())
      yield { type: 'turn', ...of, number: after + at + 1, turn: record.value, details: details.value }
    after += page.turns.length
    more = page.more
  }
}

/** Returns everything that is stored about a conversation, line by line. Nothing if it was removed meanwhile. */
async function* linesOf(context: Reader, key: ConversationId): AsyncGenerator<VisitorLine> {
  const { store, settings, recordings } = context
  const stored = await store.conversations.load(key)
  if (stored === null) return
  const { accountId, agentId } = stored.state
  const conversationId = publicId(key)
  const of = { conversation_id: conversationId, project_id: agentId }
  yield conversationLine(stored.state, of)
  yield* messageLines(context, key, of)
  yield* turnLines(context, key, of)
  const notes = await store.conversations.notes.list(key, 0, settings.limits.notesPerConversation)
  for (const { at, author, number, text } of notes)
    yield { type: 'note', ...of, number, author, text, at: isoTime(at) }
  for (let number = 1; number <= stored.state.handoffs; number++) {
    const summary = await store.conversations.summaries.find(handoffIdOf(key, number))
    if (summary !== null && summary.text !== '') yield { type: 'summary', ...of, number, text: summary.text }
  }
  for (const one of await store.conversations.recordings.list(key))
    yield { type: 'recording', ...of, ...recordingOnWire(one) }
  const wanted = { accountId, agentId, conversationId, direction: 'combined', redacted: false } as const
  // No chunk is read, so nothing is opened.
  if (((await recordings?.open?.(wanted)) ?? null) !== null)
    yield { type: 'recording', ...of, direction: wanted.direction }
}

/**
 * Returns everything that is kept of a visitor, of all agents and environments, as lines of JSON, each read on demand
 * (RC601). The last one has the type `end`. The audit log notes the export.
 *
 * @throws SCHEMA_VALIDATION_FAILED
 */
export async function* exportVisitor(
  context: Acting,
  accountId: AccountId,
  given: VisitorInput,
): AsyncGenerator<VisitorLine> {
  const visitor = keyOfVisitor(given)
  const subject = { accountId, agentId: null, resourceId: null, details: { by: wayOf(visitor) } }
  await context.store.audit.append(auditEntry(context, 'visitor.exported', subject))
  const named =
    'visitorId' in visitor ? { visitor_id: visitor.visitorId } : { phone_number: visitor.phoneNumber }
  yield { type: 'visitor', account_id: accountId, ...named, exported_at: isoTime(context.clock.now()) }
  let conversations = 0
  for await (const { id } of conversationsOf(context, accountId, visitor)) {
    conversations++
    yield* linesOf(context, id)
  }
  for await (const { agentId, optedOut, ours, theirs } of pairsOf(context, accountId, visitor))
    yield { type: 'text_numbers', project_id: agentId, ours, theirs, opted_out: optedOut }
  yield { type: 'end', conversations }
}
