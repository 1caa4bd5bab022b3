import type { Caller } from '../../domain/audit/audit.ts'
import type { Command } from '../../domain/conversation/command.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import { liveMessageKey } from '../../domain/conversation/from-live-agents.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { withPositions } from '../../domain/conversation/waiting-line.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { parse } from '../../domain/parse.ts'
import type { Context } from '../context.ts'
import type { AuditOf, Engine, Outcome } from '../conversation/engine/engine.ts'
import { readHistory } from '../conversation/turn/turn-input.ts'
import type { PartCalls } from '../shared/acts.ts'
import type { Attendance } from './attendance.ts'
import { actorOf, type DeskAccepting, type DeskActing, deskAudit, refuseImpostor } from './desk-acting.ts'
import type { DeskListener } from './desk-event.ts'
import { createDeskFeeds } from './desk-feed.ts'
import {
  type DeskHandoff,
  type DeskHandoffWithTranscript,
  describe,
  type LiveAgent,
  notFound,
  refusalOf,
  refuseOtherWords,
} from './desk-handoff.ts'
import { liveAgentSchema, messageSchema } from './desk-input.ts'

/** What a live agent says. */
export interface DeskMessage {
  /** May be empty when there are attachments or call actions. At most `limits.replyLength` characters. */
  readonly text: string
  /** As on the wire: `{title?, content_type?, content_url, preview_image_url?, call_to_action_text?}`; 20 at most. */
  readonly attachments?: readonly JsonObject[]
  /** As on the wire: `{title, contact_number}`; 20 at most. */
  readonly chatCallActions?: readonly JsonObject[]
  /** As on the wire: `{message_text, payload?}`; 20 at most. */
  readonly responseSuggestions?: readonly JsonObject[]
  /** The sender's own id: the message is taken once, however often it is sent (DK20). @default a new one */
  readonly messageId?: string
}

/** Who watches. */
export interface DeskWatcher {
  /**
   * The live agent who watches: while this lasts, the handoffs of that agent count as attended (DK16).
   * @default no one
   */
  readonly liveAgentId?: string | null
}

/**
 * The built-in live-agent desk (contract/desk.md): humans of an account answer its visitors. Invalid input is
 * SCHEMA_VALIDATION_FAILED. A handoff of another account is HANDOFF_NOT_FOUND. An act that a handoff does not allow
 * now, because another live agent was faster or it is over, is HANDOFF_CONFLICT and changes nothing (DK19). Only the
 * live agent who has accepted writes, types and leaves: for others, and for a caller who acts as somebody else, these
 * are USER_ACCESS_FORBIDDEN (DK40, DK41).
 */
export interface Desk {
  /** In order of arrival, also when the wall clock has stepped meanwhile (TM10). */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
  /** The newest handoff of its conversation, also when it is over. @throws HANDOFF_NOT_FOUND */
  handoff(accountId: AccountId, handoffId: string): Promise<DeskHandoffWithTranscript>
  /**
   * Of concurrent calls one wins. With `takeOver` an active one is taken from the live agent who has it.
   * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN
   */
  accept(
    accountId: AccountId,
    handoffId: string,
    agent: LiveAgent,
    acting?: DeskAccepting,
  ): Promise<DeskHandoffWithTranscript>
  /** The live agent types, or stopped. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN */
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
  /** The session ends. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN */
  leave(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<void>
  /** The handoff has failed: for one that waits. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT */
  reject(accountId: AccountId, handoffId: string, reason: string | null): Promise<void>
  /**
   * Tells the listener what waits and what is active, then resolves; from then on tells it what happens, each thing
   * once and in order, until the returned function is called (DK1 to DK6).
   */
  watch(accountId: AccountId, listener: DeskListener, watcher?: DeskWatcher): Promise<() => void>
}

/** The calls of the desk, not bound to a caller yet. */
export type DeskCalls = PartCalls<Desk, 'accept' | 'typing' | 'send' | 'leave' | 'reject'>

/** Lines of a transcript that a live agent is shown. */
const TRANSCRIPT_LINES = 500

/**
 * Binds the calls of the desk to a context. Long because each call is a few lines, and all share how an act is carried
 * out.
 */
export function createDesk(
  context: Context,
  { engine }: { readonly engine: Engine },
  attendance: Attendance,
): DeskCalls {
  const { conversations } = context.store

  /** The conversation of a handoff of that account, which may have another handoff by now. */
  async function conversationOf(accountId: AccountId, handoffId: string): Promise<ConversationState> {
    const { conversationId, ordinal } = readHandoffId(handoffId)
    const state = conversationId === '' ? null : await engine.load(conversationId)
    if (state === null || state.accountId !== accountId || ordinal > state.handoffs) throw notFound(handoffId)
    return state
  }

  async function act(
    accountId: AccountId,
    handoffId: string,
    command: Command,
    audit?: AuditOf,
  ): Promise<Outcome> {
    const { id } = await conversationOf(accountId, handoffId)
    return engine.execute(id, command, audit)
  }

  async function mustAct(
    accountId: AccountId,
    handoffId: string,
    command: Command,
    audit?: AuditOf,
  ): Promise<ConversationState> {
    const outcome = await act(accountId, handoffId, command, audit)
    if (outcome.status === 'done') return outcome.state
    throw refusalOf(outcome, handoffId)
  }

  async function handoffs(
    accountId: AccountId,
    status: 'waiting' | 'active',
  ): Promise<readonly DeskHandoff[]> {
    const entries = await conversations.handoffs.list(accountId, status)
    const states = await Promise.all(entries.map(entry => engine.load(entry.conversationId)))
    const found = states.flatMap(state =>
      state?.handoff?.status === status ? [{ state, handoff: state.handoff }] : [],
    )
    if (status === 'active') return found.map(one => describe(one, null))
    return withPositions(found.map(one => ({ ...one, queueName: one.handoff.queueName }))).map(one =>
      describe(one, one.position),
    )
  }

  async function withTranscript(
    state: ConversationState,
    handoffId: string,
  ): Promise<DeskHandoffWithTranscript> {
    const { handoff } = state
    if (handoff?.id !== handoffId) throw notFound(handoffId)
    const waiting =
      handoff.status === 'waiting' ? await conversations.handoffs.list(state.accountId, 'waiting') : []
    const position = withPositions(waiting).find(entry => entry.handoffId === handoffId)?.position ?? null
    const transcript = await readHistory(
      conversations,
      state,
      { type: 'greeting', turnId: '' },
      { lines: TRANSCRIPT_LINES, bytes: context.settings.limits.sliceBytes },
    )
    return { ...describe({ state, handoff }, position), transcript }
  }

  /** The live agent's message of that id in the log: a handoff that is over does not recognise duplicates. */
  async function saidBefore(handoffId: string, messageId: string): Promise<ConversationEvent | null> {
    const { conversationId } = readHandoffId(handoffId)
    const event = await conversations.clientEvent(conversationId, [liveMessageKey(messageId)])
    return event?.type === 'LIVE_AGENT_MESSAGE' ? event : null
  }

  const auditOf = deskAudit(context)
  const lines = createDeskFeeds({ context, desk: { handoffs }, engine })
  const schema = messageSchema(context.settings.limits.replyLength)

  const common: DeskCalls['common'] = {
    handoffs,
    async watch(accountId, listener, { liveAgentId = null } = {}) {
      if (liveAgentId === null) return lines.watch(accountId, listener)
      const attendant = attendance.attend(liveAgentId)
      const told: DeskListener = event => {
        attendant.hear(event)
        listener(event)
      }
      try {
        const stop = await lines.watch(accountId, told)
        return () => {
          stop()
          attendant.stop()
        }
      } catch (error) {
        attendant.stop()
        throw error
      }
    },
    async handoff(accountId, handoffId) {
      return withTranscript(await conversationOf(accountId, handoffId), handoffId)
    },
  }
  const by = (caller: Caller): Pick<Desk, keyof DeskCalls['acts']> => ({
    async accept(accountId, handoffId, given, { takeOver = false, ...acting } = {}) {
      const liveAgent = parse(liveAgentSchema, given, "live agent's field")
      const actor = actorOf(caller, acting)
      refuseImpostor(caller, actor, liveAgent)
      const command = { type: 'live_agent_joined', handoffId, liveAgent, by: actor, takeOver } as const
      const audit = auditOf(caller, handoffId, liveAgent)
      return withTranscript(await mustAct(accountId, handoffId, command, audit), handoffId)
    },
    async typing(accountId, handoffId, state, acting = {}) {
      const actor = actorOf(caller, acting)
      await mustAct(accountId, handoffId, { type: 'live_agent_typing', handoffId, state, by: actor })
    },
    async send(accountId, handoffId, message, acting = {}) {
      const said = parse(schema, message, 'message field')
      const messageId = said.messageId ?? context.ids.uuid()
      const actor = actorOf(caller, acting)
      const command = { type: 'live_agent_message', handoffId, ...said, messageId, by: actor } as const
      const outcome = await act(accountId, handoffId, command)
      if (outcome.status === 'duplicate') refuseOtherWords(outcome.event, { text: said.text, messageId })
      if (outcome.status === 'done' || outcome.status === 'duplicate') return { messageId }
      const isOver = outcome.status === 'refused' && outcome.refusal === 'handoff_over'
      const before = isOver && said.messageId !== undefined ? await saidBefore(handoffId, messageId) : null
      if (before === null) throw refusalOf(outcome, handoffId)
      refuseOtherWords(before, { text: said.text, messageId })
      return { messageId }
    },
    async leave(accountId, handoffId, acting = {}) {
      const actor = actorOf(caller, acting)
      const command = { type: 'live_agent_left', handoffId, reason: null, by: actor } as const
      await mustAct(accountId, handoffId, command, auditOf(caller, handoffId, 'handoff.left'))
    },
    async reject(accountId, handoffId, reason) {
      const command = { type: 'handoff_failed', handoffId, reason } as const
      await mustAct(accountId, handoffId, command, auditOf(caller, handoffId, 'handoff.rejected'))
    },
  })
  const acts: DeskCalls['acts'] = {
    accept: (caller, ...input) => by(caller).accept(...input),
    typing: (caller, ...input) => by(caller).typing(...input),
    send: (caller, ...input) => by(caller).send(...input),
    leave: (caller, ...input) => by(caller).leave(...input),
    reject: (caller, ...input) => by(caller).reject(...input),
  }
  return { acts, common }
}
