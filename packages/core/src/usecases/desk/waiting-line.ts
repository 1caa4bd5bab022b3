import type { TransientEvent } from '../../domain/conversation/event.ts'
import { queueStatusPayload } from '../../domain/conversation/from-live-agents.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import {
  estimateWait,
  WAIT_SAMPLES,
  WAIT_WINDOW,
  withPositions,
} from '../../domain/conversation/waiting-line.ts'
import type { AccountId, ConversationId, HandoffId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { callHost } from '../../shared/call-host.ts'
import type { Context } from '../context.ts'
import { displayMessageSchema } from './desk-input.ts'

/** A visitor's position in the built-in desk's waiting line. */
export interface LinePosition {
  readonly conversationId: ConversationId
  readonly handoffId: HandoffId
  readonly queueName: string
  /** From 1, counted for each queue of the account. */
  readonly position: number
  /** Null when no visitor of that queue was joined within the last hour. */
  readonly estimatedWaitSeconds: number | null
}

/**
 * Lists all visitors who wait in an account's line, in order of arrival (DK12). Reads an index, and no
 * conversation.
 */
export async function readLine(context: Context, accountId: AccountId): Promise<readonly LinePosition[]> {
  const { conversations } = context.store
  const now = context.clock.now()
  const line = withPositions(await conversations.handoffs.list(accountId, 'waiting'))
  const queues = [...new Set(line.map(({ queueName }) => queueName))]
  const waits = new Map(
    await Promise.all(
      queues.map(
        async name =>
          [
            name,
            await conversations.handoffs.joinedWaits(accountId, name, now - WAIT_WINDOW, WAIT_SAMPLES),
          ] as const,
      ),
    ),
  )
  return line.map(({ conversationId, handoffId, queueName, position }) => {
    const estimatedWaitSeconds = estimateWait(position, waits.get(queueName) ?? [], now)
    return { conversationId, handoffId, queueName, position, estimatedWaitSeconds }
  })
}

/**
 * Returns the host's text beside a position (DK27). Null for no text. An invalid text is reported to the host, and not
 * shown.
 */
export function hostMessage(
  { settings: { queueMessage, onError } }: Context,
  accountId: AccountId,
  { queueName, position, estimatedWaitSeconds }: LinePosition,
): string | null {
  if (queueMessage === null) return null
  const failed = (error: unknown): void => onError(error, 'queue message')
  let given: unknown = null
  callHost(() => {
    given = queueMessage({ accountId, queueName, position, estimatedWaitSeconds })
    return given
  }, failed)
  const words = displayMessageSchema.safeParse(given)
  if (words.success) return words.data
  const message = 'queueMessage returned an invalid value. It must return 1 to 1,000 characters, or null.'
  failed(new PlatformError('SCHEMA_VALIDATION_FAILED', message))
  return null
}

/**
 * Returns the first event for a visitor who connects while waiting, no matter which process announces the line (DK12).
 */
export async function positionInLine(
  context: Context,
  { accountId, handoff }: ConversationState,
): Promise<TransientEvent | null> {
  const line = await readLine(context, accountId)
  const entry = line.find(({ handoffId }) => handoffId === handoff?.id)
  if (handoff === null || entry === undefined) return null
  const payload = queueStatusPayload(handoff, {
    ...entry,
    displayMessage: hostMessage(context, accountId, entry),
  })
  return { type: 'HANDOFF_QUEUE_STATUS', payload, custom: null, to: null }
}
