import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import { offerOf } from '../../domain/conversation/assignment.ts'
import type { Command } from '../../domain/conversation/command.ts'
import { acceptorOf } from '../../domain/conversation/desk-actor.ts'
import type { DeskService } from '../../domain/conversation/desk-service.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import { liveMessageKey } from '../../domain/conversation/from-live-agents.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { whyNoTransfer } from '../../domain/conversation/transfer.ts'
import { withPositions } from '../../domain/conversation/waiting-line.ts'
import { textOfFiles } from '../../domain/file/file.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Context } from '../context.ts'
import type { AuditOf, Engine, Outcome } from '../conversation/engine/engine.ts'
import { readHistory } from '../conversation/turn/turn-input.ts'
import type { FileAddress } from '../files/file-address.ts'
import { type NewFile, newFileSchema } from '../files/store-file.ts'
import { accountId, handoffId, isFunction, loosely, own, text } from '../shared/arguments.ts'
import type { Assigner } from './assign.ts'
import { type Assignments, assignmentCalls } from './assignments.ts'
import type { Attendance } from './attendance.ts'
import { decline } from './decline.ts'
import {
  actorOf,
  type DeskAccepting,
  type DeskActing,
  deskAcceptingSchema,
  deskActingSchema,
  deskAudit,
  refuseImpostor,
  transferAudit,
} from './desk-acting.ts'
import type { DeskListener } from './desk-event.ts'
import type { createDeskFeeds } from './desk-feed.ts'
import { fileAddress, filesToSend, refuseOtherFiles, uploadFile } from './desk-files.ts'
import {
  type DeskHandoff,
  type DeskHandoffWithTranscript,
  describe,
  type LiveAgent,
  notFound,
  offeredRefusal,
  refusalOf,
  refuseOtherWords,
} from './desk-handoff.ts'
import {
  liveAgentIdSchema,
  liveAgentSchema,
  messageSchema,
  typingState,
  watcherSchema,
} from './desk-input.ts'
import type { DeskNote } from './desk-note.ts'
import type { DeskSummary } from './desk-summary.ts'
import { conversationOfHandoff, type NamedHandoff } from './find-handoff.ts'
import { readLastLine } from './last-line.ts'
import {
  type NewDeskNote,
  type NoteTarget,
  noteSchema,
  notesOf,
  noteTargetSchema,
  readNotes,
  writeNote,
} from './notes.ts'
import { closedQueue, type DeskQueues, deskQueueCalls } from './queues.ts'
import { type DeskFiguresReport, type FiguresQuery, figuresSchema, readFigures } from './read-figures.ts'
import { readRoster } from './roster.ts'
import { readDesk, readTalks, talksAtOnceOf } from './seats.ts'
import { awaySchema, setAway } from './set-away.ts'
import { type SharedReplies, sharedReplyCalls } from './shared-replies.ts'
import { type ContentOf, suggestReplies } from './suggest-replies.ts'
import { readSummary, summarizeAgain, tellAsked } from './summaries.ts'
import { closedRefusal, destinationOf, type TransferTarget, transferTargetSchema } from './transfer.ts'
import { type DeskVisitor, readVisitor } from './visitor.ts'

/** A message of a live agent. */
export interface DeskMessage {
  /** May be empty when there are attachments, call actions or files. At most `limits.replyLength` characters. */
  readonly text: string
  /** As on the wire: `{title?, content_type?, content_url, preview_image_url?, call_to_action_text?}`; 20 at most. */
  readonly attachments?: readonly JsonObject[]
  /** As on the wire: `{title, contact_number}`; 20 at most. */
  readonly chatCallActions?: readonly JsonObject[]
  /** As on the wire: `{message_text, payload?}`; 20 at most. */
  readonly responseSuggestions?: readonly JsonObject[]
  /** Files that {@link Desk.uploadFile} has stored; `fileRules.perMessage` at most. @default none */
  readonly fileIds?: readonly string[]
  /** The sender's own id: the message is taken once, however often it is sent (DK19). @default a new one */
  readonly messageId?: string
}

/** The watcher of a desk. */
export interface DeskWatcher extends DeskService {
  /**
   * The live agent who watches: while this lasts, the handoffs of that agent count as attended (DK15).
   * @default no one
   */
  readonly liveAgentId?: string | null
  /** The name that visitors see after a transfer to the live agent. @default the id */
  readonly name?: string
  /** An http or https address, or empty for none. @default empty */
  readonly avatarUrl?: string
}

/**
 * The built-in live-agent desk (contract/desk.md): humans of an account answer its visitors. Invalid input is
 * SCHEMA_VALIDATION_FAILED. A handoff of another account is HANDOFF_NOT_FOUND. An act that a handoff does not allow
 * now, because another live agent was faster or it is over, is HANDOFF_CONFLICT and changes nothing (DK19). Only the
 * live agent who has accepted writes, types, leaves and returns: for others, and for a caller who acts as somebody
 * else, these are USER_ACCESS_FORBIDDEN (DK40, DK41).
 */
export interface Desk {
  /** Lists handoffs in order of arrival, also when the wall clock has stepped meanwhile. */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
  /** Returns the newest handoff of its conversation, also when it is over. @throws HANDOFF_NOT_FOUND */
  handoff(accountId: AccountId, handoffId: string): Promise<DeskHandoffWithTranscript>
  /**
   * Accepts a handoff. One of several concurrent calls wins. With `takeOver`, an active one is taken from its live
   * agent, or accepted before the live agent to whom it is offered.
   * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, TALKS_LIMIT, USER_ACCESS_FORBIDDEN
   */
  accept(
    accountId: AccountId,
    handoffId: string,
    agent: LiveAgent,
    acting?: DeskAccepting,
  ): Promise<DeskHandoffWithTranscript>
  /**
   * Declines a waiting visitor who is offered to the live agent. The next one is offered the visitor at once (DK613).
   *
   * @throws HANDOFF_NOT_FOUND, USER_ACCESS_FORBIDDEN
   * @throws HANDOFF_CONFLICT if the visitor is not offered to the live agent, or not any more
   */
  decline(accountId: AccountId, handoffId: string, liveAgentId: string, acting?: DeskActing): Promise<void>
  /** Shows that the live agent types, or stopped. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN */
  typing(
    accountId: AccountId,
    handoffId: string,
    state: 'started' | 'stopped',
    acting?: DeskActing,
  ): Promise<void>
  /**
   * Returns the message's id, also for one that was taken before.
   *
   * @throws HANDOFF_NOT_FOUND
   * @throws HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN nothing was said
   */
  send(
    accountId: AccountId,
    handoffId: string,
    message: DeskMessage,
    acting?: DeskActing,
  ): Promise<{ readonly messageId: string }>
  /**
   * Stores a file of the live agent who has the visitor, for a message that names it (FI1).
   *
   * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN, NOT_IMPLEMENTED, FILE_REFUSED, FILES_LIMIT,
   *   FILES_FAILED, RATE_LIMITED
   */
  uploadFile(accountId: AccountId, handoffId: string, file: NewFile, acting?: DeskActing): Promise<SentFile>
  /** Returns an address of a file of the handoff's conversation. @throws HANDOFF_NOT_FOUND, FILE_NOT_FOUND */
  fileAddress(accountId: AccountId, handoffId: string, fileId: string): Promise<FileAddress>
  /** Ends the session. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN */
  leave(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<void>
  /**
   * The AI agent answers the visitor again, who keeps the session (DK41).
   *
   * @throws HANDOFF_NOT_FOUND, USER_ACCESS_FORBIDDEN
   * @throws HANDOFF_CONFLICT also where the setting `returnToAgent` is off
   */
  return(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<void>
  /**
   * Transfers the visitor to a colleague, who has them at once, or to a queue, where they wait as a new handoff.
   * Resolves with the handoff as it is then (DK41).
   *
   * @throws HANDOFF_NOT_FOUND, TALKS_LIMIT, USER_ACCESS_FORBIDDEN
   * @throws HANDOFF_CONFLICT also for oneself, a colleague who is not at the desk, a queue that no other live agent
   *   there serves, and a queue that is closed
   */
  transfer(
    accountId: AccountId,
    handoffId: string,
    target: {
      readonly liveAgentId?: string
      readonly queueName?: string
      readonly reason?: string
    },
    acting?: DeskActing,
  ): Promise<DeskHandoff>
  /** Lists the live agents at the desk now, in whichever process, in the order of their ids (DK15). */
  colleagues(accountId: AccountId): Promise<readonly DeskColleague[]>
  /**
   * Sets a live agent away, or back. Who is away is transferred no visitor and keeps those they have, in every process
   * and after a restart (DK600).
   *
   * @throws USER_ACCESS_FORBIDDEN for another live agent than the caller acts as, except by an operator
   */
  setAway(accountId: AccountId, liveAgentId: string, away: boolean, acting?: DeskActing): Promise<void>
  /**
   * Reads the facts about the visitor of a handoff: language, page, device, rating, attributes and earlier
   * conversations (DK640).
   *
   * @throws HANDOFF_NOT_FOUND
   */
  visitor(accountId: AccountId, handoffId: string): Promise<DeskVisitor>
  /**
   * Asks the host's assistant for the summary of a conversation again, beside everything else. Returns that it is
   * pending; watchers get `summary` when it is there (DK645).
   *
   * @throws HANDOFF_NOT_FOUND, NOT_IMPLEMENTED without `deskAssistant`, RATE_LIMITED
   */
  summarize(accountId: AccountId, handoffId: string): Promise<DeskSummary>
  /**
   * Asks the host's assistant for at most three replies that the live agent may send next. Nothing is sent. Empty when
   * the live agent has gone on before they came (DK650).
   *
   * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN, RATE_LIMITED
   * @throws NOT_IMPLEMENTED without `deskAssistant`, ASSISTANT_FAILED if it fails or takes too long
   */
  suggest(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<readonly string[]>
  /**
   * Reads the notes of colleagues about a conversation, those with a number after `after`, in their order (DK549).
   *
   * @param after @default 0, which reads all of them
   * @throws HANDOFF_NOT_FOUND
   */
  notes(accountId: AccountId, target: NoteTarget, after?: number): Promise<readonly DeskNote[]>
  /**
   * Writes a note for colleagues, also about a conversation that has ended. Visitors and agents never get it (DK549).
   *
   * @throws HANDOFF_NOT_FOUND, CONVERSATIONS_NOT_FOUND, USER_ACCESS_FORBIDDEN
   * With `changes` it gives a note of the same writer another text, and with an empty one takes it back (DK649).
   *
   * @throws NOTE_CONFLICT for more notes than `limits.notesPerConversation`, an id that stands for another note, and a
   *   note that has changed since
   */
  writeNote(
    accountId: AccountId,
    target: NoteTarget,
    note: NewDeskNote,
    acting?: DeskActing,
  ): Promise<DeskNote>
  /**
   * Reads how long visitors waited, how many were answered, and how long talks lasted, by queue and by live agent
   * (DK620).
   */
  figures(accountId: AccountId, query: FiguresQuery): Promise<DeskFiguresReport>
  /** Hours of the queues of an account (DK557). */
  readonly queues: DeskQueues
  /** Assignments of the visitors of queues to live agents (DK610). */
  readonly assignments: Assignments
  /** Replies that the live agents of an account share (DK553). */
  readonly replies: SharedReplies
  /** Rejects a waiting handoff, which has failed then. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT */
  reject(accountId: AccountId, handoffId: string, reason: string | null): Promise<void>
  /**
   * Sends the listener the waiting and active handoffs, then resolves. From then on sends each event once and in order,
   * until the returned function is called (DK1).
   */
  watch(accountId: AccountId, listener: DeskListener, watcher?: DeskWatcher): Promise<() => void>
}

/** A live agent who is at the desk. */
export interface DeskColleague extends LiveAgent {
  /** The queues that the live agent serves; null: all. */
  readonly queues: readonly string[] | null
  /** The skills of the live agent. */
  readonly skills: readonly string[]
  /** Number of visitors whom the live agent talks to. */
  readonly talks: number
  /** The most visitors whom the live agent may talk to at once (DK604). */
  readonly talksAtOnce: number
  /** Since when the live agent is away, milliseconds since the epoch; null for one who takes visitors. */
  readonly awaySince: number | null
}

/** The dependencies of the calls of the desk. */
export interface DeskDeps extends Context {
  readonly engine: Engine
  readonly assigner: Pick<Assigner, 'changed'>
  readonly attendance: Attendance
  readonly lines: ReturnType<typeof createDeskFeeds>
  /** Reads the content of an agent as a conversation runs it. */
  readonly contentOf: ContentOf
}

type Acting = DeskDeps & { readonly caller: Caller }

/** Lines of a transcript that a live agent is shown. */
const TRANSCRIPT_LINES = 500

async function carryOut(
  deps: DeskDeps,
  named: NamedHandoff,
  command: Command,
  audit?: AuditOf,
): Promise<Outcome> {
  const { id } = await conversationOfHandoff(deps, named)
  return deps.engine.execute(id, command, { audit })
}

async function mustCarryOut(
  deps: DeskDeps,
  named: NamedHandoff,
  command: Command,
  audit?: AuditOf,
): Promise<ConversationState> {
  const outcome = await carryOut(deps, named, command, audit)
  if (outcome.status === 'done') return outcome.state
  throw refusalOf(outcome, named.handoffId, 'talksAtOnce' in command ? command.talksAtOnce : undefined)
}

/** Lists handoffs without the words of their visitors. */
export async function listHandoffs(
  { clock, engine, settings, store }: Pick<DeskDeps, 'clock' | 'engine' | 'settings' | 'store'>,
  accountId: AccountId,
  status: 'waiting' | 'active',
): Promise<readonly DeskHandoff[]> {
  const entries = await store.conversations.handoffs.list(accountId, status)
  const states = await Promise.all(entries.map(entry => engine.load(entry.conversationId)))
  const found = states.flatMap(state =>
    state?.handoff?.status === status ? [{ state, handoff: state.handoff }] : [],
  )
  if (status === 'active') return found.map(one => describe(one, null, settings))
  const roster = await readRoster({ store }, accountId)
  return withPositions(found.map(one => ({ ...one, queueName: one.handoff.queueName }))).map(one =>
    describe(one, one.position, settings, { offer: offerOf(roster, one.handoff.id, clock.now()) }),
  )
}

/** See `Desk.handoffs`. */
async function listWithWords(
  deps: DeskDeps,
  accountId: AccountId,
  status: 'waiting' | 'active',
): Promise<readonly DeskHandoff[]> {
  const handoffs = await listHandoffs(deps, accountId, status)
  if (status === 'active') return handoffs
  return Promise.all(
    handoffs.map(async handoff => {
      const state = await deps.engine.load(handoff.sessionId)
      return { ...handoff, lastLine: state && (await readLastLine(deps, state)) }
    }),
  )
}

async function withTranscript(
  deps: DeskDeps,
  state: ConversationState,
  handoffId: string,
): Promise<DeskHandoffWithTranscript> {
  const { settings, store } = deps
  const { conversations } = store
  const { handoff } = state
  if (handoff?.id !== handoffId) throw notFound(handoffId)
  const waiting =
    handoff.status === 'waiting' ? await conversations.handoffs.list(state.accountId, 'waiting') : []
  const position = withPositions(waiting).find(entry => entry.handoffId === handoffId)?.position ?? null
  const transcript = await readHistory(
    conversations,
    state,
    { type: 'greeting', turnId: '' },
    { lines: TRANSCRIPT_LINES, bytes: settings.limits.sliceBytes },
  )
  const notes = await notesOf(deps, state.accountId, state.id)
  const offer =
    position === null ? null : offerOf(await readRoster(deps, state.accountId), handoffId, deps.clock.now())
  const summary = await readSummary(deps, state, handoff.id)
  const canSuggest = deps.deskAssistant !== null
  const described = describe({ state, handoff }, position, settings, { offer })
  return { ...described, transcript, notes, summary, canSuggest }
}

/** Returns the live agent's message of that id in the log: a handoff that is over does not recognise duplicates. */
async function saidBefore(
  { store }: DeskDeps,
  handoffId: string,
  messageId: string,
): Promise<ConversationEvent | null> {
  const { conversationId } = readHandoffId(handoffId)
  const event = await store.conversations.clientEvent(conversationId, [liveMessageKey(messageId)])
  return event?.type === 'LIVE_AGENT_MESSAGE' ? event : null
}

async function watch(
  { attendance, caller, lines }: Acting,
  accountId: AccountId,
  listener: DeskListener,
  { liveAgentId = null, name, avatarUrl = '', ...service }: DeskWatcher,
): Promise<() => void> {
  if (liveAgentId === null) return lines.watch(accountId, listener)
  const attendant = attendance.attend({
    ...{ accountId, queues: null, ...service, acceptor: acceptorOf(caller) },
    liveAgent: { id: liveAgentId, name: name ?? liveAgentId, avatarUrl },
  })
  const told: DeskListener = event => {
    attendant.hear(event)
    listener(event)
  }
  try {
    const [stop] = await Promise.all([lines.watch(accountId, told), attendant.seated])
    return () => {
      stop()
      attendant.stop()
    }
  } catch (error) {
    attendant.stop()
    throw error
  }
}

async function accept(
  deps: Acting,
  named: NamedHandoff,
  liveAgent: LiveAgent,
  { takeOver, ...acting }: z.output<typeof deskAcceptingSchema>,
): Promise<DeskHandoffWithTranscript> {
  const { caller } = deps
  const { handoffId } = named
  const actor = actorOf(caller, acting)
  refuseImpostor(caller, actor, liveAgent)
  const { colleagues, roster } = await readDesk(deps, named.accountId)
  const offer = offerOf(roster, handoffId, deps.clock.now())
  if (offer !== null && offer.liveAgent.id !== liveAgent.id && !takeOver) throw offeredRefusal(offer)
  const talksAtOnce = talksAtOnceOf(deps, colleagues, liveAgent.id)
  const joined = { type: 'live_agent_joined', handoffId, liveAgent, by: actor } as const
  const command = { ...joined, takeOver, talksAtOnce }
  const audit = deskAudit(deps, handoffId, liveAgent)
  const state = await mustCarryOut(deps, named, command, audit)
  // Somebody else has one visitor less, which the line does not say.
  if (takeOver) deps.assigner.changed(named.accountId)
  return withTranscript(deps, state, handoffId)
}

async function send(
  deps: Acting,
  named: NamedHandoff,
  given: z.output<ReturnType<typeof messageSchema>>,
  acting: DeskActing,
): Promise<{ readonly messageId: string }> {
  const { handoffId } = named
  const messageId = given.messageId ?? deps.ids.uuid()
  const by = actorOf(deps.caller, acting)
  const { fileIds, ...rest } = given
  if (fileIds.length > 0 && given.messageId !== undefined) {
    const before = await saidBefore(deps, handoffId, messageId)
    if (before !== null) {
      refuseOtherFiles(before, { fileIds, messageId, text: rest.text })
      return { messageId }
    }
  }
  const files = fileIds.length === 0 ? [] : await filesToSend(deps, named, fileIds, by)
  const said = { ...rest, text: rest.text === '' ? textOfFiles(files) : rest.text }
  const command = { type: 'live_agent_message', handoffId, ...said, files, messageId, by } as const
  const outcome = await carryOut(deps, named, command)
  if (outcome.status === 'duplicate') refuseOtherWords(outcome.event, { text: said.text, messageId })
  if (outcome.status === 'done' || outcome.status === 'duplicate') return { messageId }
  const isOver = outcome.status === 'refused' && outcome.refusal === 'handoff_over'
  const before = isOver && said.messageId !== undefined ? await saidBefore(deps, handoffId, messageId) : null
  if (before === null) throw refusalOf(outcome, handoffId)
  refuseOtherWords(before, { text: said.text, messageId })
  return { messageId }
}

/** See `Desk.transfer`. */
async function transfer(
  deps: Acting,
  named: NamedHandoff,
  target: TransferTarget,
  acting: DeskActing,
): Promise<DeskHandoff> {
  const { accountId, handoffId } = named
  const by = actorOf(deps.caller, acting)
  const before = await conversationOfHandoff(deps, named)
  const why = whyNoTransfer(before, handoffId, by)
  // Callers without permission learn no more.
  if (why !== null) throw refusalOf({ status: 'refused', refusal: why, state: before }, handoffId)
  const { colleagues } = await readDesk(deps, accountId)
  const to = destinationOf(before, target, colleagues)
  const closed = target.queueName === undefined ? null : await closedQueue(deps, accountId, target.queueName)
  if (closed !== null) throw closedRefusal(target.queueName ?? '', closed)
  const { reason } = target
  const audit = transferAudit(deps, handoffId, target)
  const talksAtOnce = talksAtOnceOf(deps, colleagues, target.liveAgentId ?? '')
  const summarizes = deps.deskAssistant !== null
  const transferred = { type: 'handoff_transferred', handoffId, to, reason, by, talksAtOnce } as const
  const command = { ...transferred, summarizes }
  const state = await mustCarryOut(deps, named, command, audit)
  if (state.handoff === null) throw notFound(handoffId)
  deps.assigner.changed(accountId)
  if (summarizes && target.queueName !== undefined) tellAsked(deps, state.id)
  return describe({ state, handoff: state.handoff }, null, deps.settings)
}

/** See `Desk.colleagues`. */
async function listColleagues(deps: DeskDeps, accountId: AccountId): Promise<readonly DeskColleague[]> {
  const [{ colleagues }, talks] = await Promise.all([readDesk(deps, accountId), readTalks(deps, accountId)])
  return colleagues.map(({ acceptor: _, liveAgent, talksAtOnce, ...one }) => ({
    ...{ ...liveAgent, ...one, talks: talks.get(liveAgent.id) ?? 0 },
    talksAtOnce: talksAtOnce ?? deps.settings.talksAtOnce,
  }))
}

const { call, act } = callsWith<DeskDeps, Acting>()

/** The implementations of the calls of the desk. */
export const deskCalls = {
  handoffs: call(() => [accountId, ['status', z.enum(['waiting', 'active'])]], listWithWords),
  handoff: call(
    () => [accountId, handoffId],
    async (deps, ofAccount, id) =>
      withTranscript(deps, await conversationOfHandoff(deps, { accountId: ofAccount, handoffId: id }), id),
  ),
  accept: act(
    () => [accountId, handoffId, ["live agent's field", liveAgentSchema], deskAcceptingSchema],
    (deps, ofAccount, id, ...input) => accept(deps, { accountId: ofAccount, handoffId: id }, ...input),
  ),
  decline: act(
    () => [accountId, handoffId, ['liveAgentId', liveAgentIdSchema], deskActingSchema],
    (deps, ofAccount, id, ...input) => decline(deps, { accountId: ofAccount, handoffId: id }, ...input),
  ),
  typing: act(
    () => [accountId, handoffId, typingState, deskActingSchema],
    async (deps, ofAccount, id, ...[state, acting]) => {
      const by = actorOf(deps.caller, acting)
      const command = { type: 'live_agent_typing', handoffId: id, state, by } as const
      await mustCarryOut(deps, { accountId: ofAccount, handoffId: id }, command)
    },
  ),
  send: act(
    ({ settings }: DeskDeps) => [
      accountId,
      handoffId,
      ['message field', loosely(messageSchema(settings.limits.replyLength))],
      deskActingSchema,
    ],
    (deps, ofAccount, id, ...input) => send(deps, { accountId: ofAccount, handoffId: id }, ...input),
  ),
  uploadFile: act(
    () => [accountId, handoffId, ["file's field", newFileSchema], deskActingSchema],
    (deps, ofAccount, id, ...input) => uploadFile(deps, { accountId: ofAccount, handoffId: id }, ...input),
  ),
  fileAddress: call(
    () => [accountId, handoffId, ['fileId', text]],
    (deps, ofAccount, id, fileId) => fileAddress(deps, { accountId: ofAccount, handoffId: id }, fileId),
  ),
  leave: act(
    () => [accountId, handoffId, deskActingSchema],
    async (deps, ofAccount, id, acting) => {
      const by = actorOf(deps.caller, acting)
      const command = { type: 'live_agent_left', handoffId: id, reason: null, by } as const
      const audit = deskAudit(deps, id, 'handoff.left')
      await mustCarryOut(deps, { accountId: ofAccount, handoffId: id }, command, audit)
    },
  ),
  return: act(
    () => [accountId, handoffId, deskActingSchema],
    async (deps, ofAccount, id, acting) => {
      const by = actorOf(deps.caller, acting)
      const command = { type: 'live_agent_returned', handoffId: id, reason: null, by } as const
      const audit = deskAudit(deps, id, 'handoff.returned')
      await mustCarryOut(deps, { accountId: ofAccount, handoffId: id }, command, audit)
    },
  ),
  reject: act(
    () => [accountId, handoffId, ['reason', text.nullish()]],
    async (deps, ofAccount, id, reason = null) => {
      const command = { type: 'handoff_failed', handoffId: id, reason } as const
      const audit = deskAudit(deps, id, 'handoff.rejected')
      await mustCarryOut(deps, { accountId: ofAccount, handoffId: id }, command, audit)
    },
  ),
  transfer: act(
    () => [accountId, handoffId, transferTargetSchema, deskActingSchema],
    (deps, ofAccount, id, ...input) => transfer(deps, { accountId: ofAccount, handoffId: id }, ...input),
  ),
  colleagues: call(() => [accountId], listColleagues),
  setAway: act(
    () => [accountId, ['liveAgentId', liveAgentIdSchema], awaySchema, deskActingSchema],
    (deps, ofAccount, liveAgentId, ...[isAway, acting]) =>
      setAway(deps, ofAccount, { liveAgentId, isAway }, acting),
  ),
  visitor: call(() => [accountId, handoffId], readVisitor),
  summarize: call(() => [accountId, handoffId], summarizeAgain),
  suggest: act(
    () => [accountId, handoffId, deskActingSchema],
    (deps, ofAccount, id, acting) => suggestReplies(deps, { accountId: ofAccount, handoffId: id }, acting),
  ),
  replies: sharedReplyCalls,
  figures: call(() => [accountId, figuresSchema], readFigures),
  queues: deskQueueCalls,
  assignments: assignmentCalls,
  notes: call(() => [accountId, noteTargetSchema, ['after', z.int().min(0).default(0)]], readNotes),
  writeNote: act(
    ({ settings }: DeskDeps) => [
      accountId,
      noteTargetSchema,
      ["note's field", noteSchema(settings.limits.noteLength)],
      deskActingSchema,
    ],
    writeNote,
  ),
  watch: act(
    () => [accountId, ['listener', own<DeskListener>(isFunction, 'expected a function')], watcherSchema],
    watch,
  ),
} satisfies CallsOf<Desk, DeskDeps>
