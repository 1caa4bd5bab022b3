import type { Command } from '../../domain/conversation/command.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { type AccountId, asId, type ConversationId, type HandoffId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { HistoryLine } from '../../ports/agent-runtime.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine.ts'
import { readHistory } from '../conversation/turn-input.ts'
import { createDeskFeeds, type DeskListener } from './desk-feed.ts'

/** A visitor who waits for, or talks to, a live agent. Times are milliseconds since the epoch. */
export interface DeskHandoff {
  readonly handoffId: HandoffId
  readonly sessionId: ConversationId
  readonly queueName: string
  readonly reason: string
  readonly waitingSince: number
  /** From 1; null once somebody has accepted. */
  readonly position: number | null
  readonly agent: { readonly id: string; readonly name: string; readonly avatarUrl: string } | null
}

/** The built-in live-agent desk (decisions.md section 11): humans of an account answer its visitors. */
export interface Desk {
  /** Oldest first. */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly DeskHandoff[]>
  /** With everything that was said so far. @throws HANDOFF_NOT_FOUND */
  handoff(
    accountId: AccountId,
    handoffId: string,
  ): Promise<DeskHandoff & { readonly transcript: readonly HistoryLine[] }>
  /** One wins. @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT */
  accept(
    accountId: AccountId,
    handoffId: string,
    agent: { readonly id: string; readonly name: string; readonly avatarUrl: string },
  ): Promise<DeskHandoff>
  typing(accountId: AccountId, handoffId: string, state: 'started' | 'stopped'): Promise<void>
  /** Returns the message's id. */
  send(
    accountId: AccountId,
    handoffId: string,
    message: { readonly text: string; readonly attachments: readonly JsonObject[] },
  ): Promise<{ readonly messageId: string }>
  leave(accountId: AccountId, handoffId: string): Promise<void>
  reject(accountId: AccountId, handoffId: string, reason: string | null): Promise<void>
  /**
   * Tells the listener what waits and what is active, then resolves; from then on tells it what happens, each thing once
   * and in order, until the returned function is called (DK1 to DK6).
   */
  watch(accountId: AccountId, listener: DeskListener): Promise<() => void>
}

/** Lines of a transcript that a live agent is shown. */
const TRANSCRIPT_LINES = 500

export function createDesk(context: Context, engine: Engine): Desk {
  const { conversations } = context.store

  /** The conversation of a handoff of that account. A handoff of another account is not there. */
  async function find(accountId: AccountId, handoffId: string): Promise<ConversationState> {
    const id = asId<ConversationId>(handoffId.slice(0, Math.max(handoffId.lastIndexOf('.'), 0)))
    const state = id === '' ? null : await engine.load(id)
    if (state === null || state.accountId !== accountId || state.handoff?.id !== handoffId) {
      throw new PlatformError('HANDOFF_NOT_FOUND', `There is no handoff ${handoffId}.`)
    }
    return state
  }

  async function act(accountId: AccountId, handoffId: string, command: Command): Promise<ConversationState> {
    const { id } = await find(accountId, handoffId)
    const outcome = await engine.execute(id, command)
    if (outcome.status === 'done') return outcome.state
    throw new PlatformError(
      'HANDOFF_CONFLICT',
      'The handoff does not allow that now: accept or reject one that waits; type, write or leave once it is accepted.',
    )
  }

  async function handoffs(
    accountId: AccountId,
    status: 'waiting' | 'active',
  ): Promise<readonly DeskHandoff[]> {
    const entries = await conversations.handoffs(accountId, status)
    const states = await Promise.all(entries.map(entry => engine.load(entry.conversationId)))
    const places = new Map<string, number>()
    return states.flatMap(state => {
      if (state?.handoff == null || state.handoff.status !== status) return []
      const position = (places.get(state.handoff.queueName) ?? 0) + 1
      places.set(state.handoff.queueName, position)
      return [describe(state, state.handoff, status === 'waiting' ? position : null)]
    })
  }

  const feeds = createDeskFeeds(context, { handoffs }, engine)

  return {
    handoffs,
    watch: feeds.watch,
    async handoff(accountId, handoffId) {
      const state = await find(accountId, handoffId)
      const waiting = await handoffs(accountId, 'waiting')
      const position = waiting.find(entry => entry.handoffId === handoffId)?.position ?? null
      const transcript = await readHistory(
        conversations,
        state,
        { type: 'greeting', turnId: asId('') },
        TRANSCRIPT_LINES,
      )
      if (state.handoff === null)
        throw new PlatformError('HANDOFF_NOT_FOUND', `There is no handoff ${handoffId}.`)
      return { ...describe(state, state.handoff, position), transcript }
    },
    async accept(accountId, handoffId, liveAgent) {
      const id = asId<HandoffId>(handoffId)
      const state = await act(accountId, handoffId, { type: 'live_agent_joined', handoffId: id, liveAgent })
      if (state.handoff === null)
        throw new PlatformError('HANDOFF_NOT_FOUND', `There is no handoff ${handoffId}.`)
      return describe(state, state.handoff, null)
    },
    async typing(accountId, handoffId, state) {
      await act(accountId, handoffId, { type: 'live_agent_typing', handoffId: asId(handoffId), state })
    },
    async send(accountId, handoffId, message) {
      const messageId = context.ids.uuid()
      await act(accountId, handoffId, {
        type: 'live_agent_message',
        handoffId: asId(handoffId),
        messageId,
        ...message,
      })
      return { messageId }
    },
    async leave(accountId, handoffId) {
      await act(accountId, handoffId, { type: 'live_agent_left', handoffId: asId(handoffId), reason: null })
    },
    async reject(accountId, handoffId, reason) {
      await act(accountId, handoffId, { type: 'handoff_failed', handoffId: asId(handoffId), reason })
    },
  }
}

const describe = (
  state: ConversationState,
  handoff: NonNullable<ConversationState['handoff']>,
  position: number | null,
): DeskHandoff => ({
  handoffId: handoff.id,
  sessionId: state.id,
  queueName: handoff.queueName,
  reason: handoff.reason,
  waitingSince: handoff.requestedAt,
  position,
  agent: handoff.liveAgent,
})
