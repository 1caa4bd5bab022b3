import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import type { Command } from '../../domain/conversation/command.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import { liveMessageKey } from '../../domain/conversation/from-live-agents.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { withPositions } from '../../domain/conversation/waiting-line.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Context } from '../context.ts'
import type { AuditOf, Engine, Outcome } from '../conversation/engine/engine.ts'
import { readHistory } from '../conversation/turn/turn-input.ts'
import { accountId, handoffId, isFunction, loosely, own, text } from '../shared/arguments.ts'
import type { Attendance } from './attendance.ts'
import {
  actorOf,
  type DeskAccepting,
  type DeskActing,
  deskAcceptingSchema,
  deskActingSchema,
  deskAudit,
  refuseImpostor,
} from './desk-acting.ts'
import type { DeskListener } from './desk-event.ts'
import type { createDeskFeeds } from './desk-feed.ts'
import {
  type DeskHandoff,
  type DeskHandoffWithTranscript,
  describe,
  type LiveAgent,
  notFound,
  refusalOf,
  refuseOtherWords,
} from './desk-handoff.ts'
import { liveAgentSchema, messageSchema, typingState } from './desk-input.ts'

/** A message of a live agent. */
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

/** The watcher of a desk. */
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
 * live agent who has accepted writes, types, leaves and returns: for others, and for a caller who acts as somebody
 * else, these are USER_ACCESS_FORBIDDEN (DK40, DK41).
 */
export interface Desk {
  /** Lists handoffs in order of arrival, also when the wall clock has stepped meanwhile (TM10). */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
  /** Returns the newest handoff of its conversation, also when it is over. @throws HANDOFF_NOT_FOUND */
  handoff(accountId: AccountId, handoffId: string): Promise<DeskHandoffWithTranscript>
  /**
   * Accepts a handoff. One of several concurrent calls wins. With `takeOver`, an active one is taken from its live
   * agent.
   * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN
   */
  accept(
    accountId: AccountId,
    handoffId: string,
    agent: LiveAgent,
    acting?: DeskAccepting,
  ): Promise<DeskHandoffWithTranscript>
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
  /** Ends the session. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN */
  leave(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<void>
  /**
   * The AI agent answers the visitor again, who keeps the session (DK545).
   *
   * @throws HANDOFF_NOT_FOUND, USER_ACCESS_FORBIDDEN
   * @throws HANDOFF_CONFLICT also where the setting `returnToAgent` is off
   */
  return(accountId: AccountId, handoffId: string, acting?: DeskActing): Promise<void>
  /** Rejects a waiting handoff, which has failed then. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT */
  reject(accountId: AccountId, handoffId: string, reason: string | null): Promise<void>
  /**
   * Tells the listener what waits and what is active, then resolves; from then on tells it what happens, each thing
   * once and in order, until the returned function is called (DK1 to DK6).
   */
  watch(accountId: AccountId, listener: DeskListener, watcher?: DeskWatcher): Promise<() => void>
}

/** The dependencies of the calls of the desk. */
export interface DeskDeps extends Context {
  readonly engine: Engine
  readonly attendance: Attendance
  readonly lines: ReturnType<typeof createDeskFeeds>
}

type Acting = DeskDeps & { readonly caller: Caller }

/** Lines of a transcript that a live agent is shown. */
const TRANSCRIPT_LINES = 500

/** A handoff of an account. */
interface Named {
  readonly accountId: AccountId
  readonly handoffId: string
}

/** The conversation of a handoff of that account, which may have another handoff by now. */
async function conversationOf(
  { engine }: Pick<DeskDeps, 'engine'>,
  { accountId, handoffId }: Named,
): Promise<ConversationState> {
  const { conversationId, ordinal } = readHandoffId(handoffId)
  const state = conversationId === '' ? null : await engine.load(conversationId)
  if (state === null || state.accountId !== accountId || ordinal > state.handoffs) throw notFound(handoffId)
  return state
}

async function carryOut(deps: DeskDeps, named: Named, command: Command, audit?: AuditOf): Promise<Outcome> {
  const { id } = await conversationOf(deps, named)
  return deps.engine.execute(id, command, audit)
}

async function mustCarryOut(
  deps: DeskDeps,
  named: Named,
  command: Command,
  audit?: AuditOf,
): Promise<ConversationState> {
  const outcome = await carryOut(deps, named, command, audit)
  if (outcome.status === 'done') return outcome.state
  throw refusalOf(outcome, named.handoffId)
}

/** See `Desk.handoffs`. */
export async function listHandoffs(
  { engine, settings, store }: Pick<DeskDeps, 'engine' | 'settings' | 'store'>,
  accountId: AccountId,
  status: 'waiting' | 'active',
): Promise<readonly DeskHandoff[]> {
  const entries = await store.conversations.handoffs.list(accountId, status)
  const states = await Promise.all(entries.map(entry => engine.load(entry.conversationId)))
  const found = states.flatMap(state =>
    state?.handoff?.status === status ? [{ state, handoff: state.handoff }] : [],
  )
  if (status === 'active') return found.map(one => describe(one, null, settings))
  return withPositions(found.map(one => ({ ...one, queueName: one.handoff.queueName }))).map(one =>
    describe(one, one.position, settings),
  )
}

async function withTranscript(
  { settings, store: { conversations } }: DeskDeps,
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
    { lines: TRANSCRIPT_LINES, bytes: settings.limits.sliceBytes },
  )
  return { ...describe({ state, handoff }, position, settings), transcript }
}

/** The live agent's message of that id in the log: a handoff that is over does not recognise duplicates. */
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
  { attendance, lines }: DeskDeps,
  accountId: AccountId,
  listener: DeskListener,
  { liveAgentId = null }: DeskWatcher,
): Promise<() => void> {
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
}

async function accept(
  deps: Acting,
  named: Named,
  liveAgent: LiveAgent,
  { takeOver, ...acting }: z.output<typeof deskAcceptingSchema>,
): Promise<DeskHandoffWithTranscript> {
  const { caller } = deps
  const { handoffId } = named
  const actor = actorOf(caller, acting)
  refuseImpostor(caller, actor, liveAgent)
  const command = { type: 'live_agent_joined', handoffId, liveAgent, by: actor, takeOver } as const
  const audit = deskAudit(deps, handoffId, liveAgent)
  return withTranscript(deps, await mustCarryOut(deps, named, command, audit), handoffId)
}

async function send(
  deps: Acting,
  named: Named,
  said: z.output<ReturnType<typeof messageSchema>>,
  acting: DeskActing,
): Promise<{ readonly messageId: string }> {
  const { handoffId } = named
  const messageId = said.messageId ?? deps.ids.uuid()
  const by = actorOf(deps.caller, acting)
  const command = { type: 'live_agent_message', handoffId, ...said, messageId, by } as const
  const outcome = await carryOut(deps, named, command)
  if (outcome.status === 'duplicate') refuseOtherWords(outcome.event, { text: said.text, messageId })
  if (outcome.status === 'done' || outcome.status === 'duplicate') return { messageId }
  const isOver = outcome.status === 'refused' && outcome.refusal === 'handoff_over'
  const before = isOver && said.messageId !== undefined ? await saidBefore(deps, handoffId, messageId) : null
  if (before === null) throw refusalOf(outcome, handoffId)
  refuseOtherWords(before, { text: said.text, messageId })
  return { messageId }
}

const { call, act } = callsWith<DeskDeps, Acting>()

/** The implementations of the calls of the desk. */
export const deskCalls = {
  handoffs: call(() => [accountId, ['status', z.enum(['waiting', 'active'])]], listHandoffs),
  handoff: call(
    () => [accountId, handoffId],
    async (deps, ofAccount, id) =>
      withTranscript(deps, await conversationOf(deps, { accountId: ofAccount, handoffId: id }), id),
  ),
  accept: act(
    () => [accountId, handoffId, ["live agent's field", liveAgentSchema], deskAcceptingSchema],
    (deps, ofAccount, id, ...input) => accept(deps, { accountId: ofAccount, handoffId: id }, ...input),
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
  watch: call(
    () => [
      accountId,
      ['listener', own<DeskListener>(isFunction, 'expected a function')],
      z.object({ liveAgentId: text.nullable().exactOptional() }),
    ],
    watch,
  ),
} satisfies CallsOf<Desk, DeskDeps>
