import type { TextOutcome } from '../../domain/conversation/command.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import { textsOfEvent } from '../../domain/conversation/split-text.ts'
import type { ConversationState, OutgoingText, TextState } from '../../domain/conversation/state.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { TextAnswer, TextCarrier } from '../../ports/text-carrier.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { eventAt } from '../conversation/turn/read-log.ts'
import { textIdOf } from './text-ids.ts'

/**
 * Sends the oldest text of a state, whose attempt was counted just now, to the carrier, and records the result (TX20,
 * TX21). If a crash or a busy store interrupts it, it is sent again when the attempt's lease is over.
 *
 * @param recent events of the log that are in memory
 */
export async function sendText(
  context: Context,
  engine: Pick<Engine, 'execute'>,
  state: ConversationState,
  recent: readonly ConversationEvent[],
): Promise<void> {
  const { id, text } = state
  const first = text?.outgoing[0]
  if (text === null || first === undefined) return
  const outcome = await outcomeOf(context, state, { session: text, text: first, recent })
  await engine.execute(id, { type: 'text_done', number: first.number, attempt: first.attempts, outcome })
}

interface Due {
  readonly session: TextState
  readonly text: OutgoingText
  readonly recent: readonly ConversationEvent[]
}

async function outcomeOf(
  context: Context,
  { id, accountId }: ConversationState,
  { recent, session, text }: Due,
): Promise<TextOutcome> {
  const { settings, store, textCarrier } = context
  const known = recent.find(({ sequence }) => sequence === text.sequence)
  const event = known ?? (await eventAt(store.conversations, id, text.sequence))
  const words = event === null ? undefined : textsOfEvent(event.payload)[text.part]
  if (words === undefined) return { type: 'failed' }
  const pair = await store.conversations.textPairs.find(session.ours, session.theirs)
  if (pair?.optedOut === true) return { type: 'dropped' }
  if (!(await hasSenders(context, accountId, session))) return { type: 'failed' }
  if (textCarrier === null) return { type: 'again' }
  try {
    return outcomeOfAnswer(await ask(context, textCarrier, { id, session, text, words }))
  } catch (error) {
    settings.onError(error, 'text carrier')
    return { type: 'again' }
  }
}

/** Reports whether a session's account still has its senders: the operator may have given them to another (TX57). */
async function hasSenders(
  { store }: Context,
  accountId: AccountId,
  { ours, service }: TextState,
): Promise<boolean> {
  const names = [...new Set(service === null ? [ours] : [ours, service])]
  const found = await store.access.phoneNumbers.find(names)
  return found.filter(one => one.accountId === accountId).length === names.length
}

interface Asked {
  readonly id: ConversationId
  readonly session: TextState
  readonly text: OutgoingText
  readonly words: string
}

function ask(
  { clock, settings }: Context,
  carrier: TextCarrier,
  { id, session, text, words }: Asked,
): Promise<TextAnswer> {
  const limit = settings.textDeadline
  const late = new PlatformError('INTERNAL', `The carrier did not answer within ${limit} ms.`)
  const { channel, ours, service, settled, theirs } = session
  return within(clock, { limit, late }, async signal =>
    carrier.send({
      ...{ id: textIdOf(id, text.number), from: service === null ? ours : null, to: theirs },
      ...{ text: words, channel, service, signal },
      attempt: text.attempts,
      firstAttemptAt: text.triedAt ?? clock.now(),
      sent: settled.flatMap(({ carrierId }) => (carrierId === null ? [] : [carrierId])),
    }),
  )
}

/** @throws TypeError for what no carrier may answer */
function outcomeOfAnswer(answer: TextAnswer): TextOutcome {
  if ('carrierId' in answer && typeof answer.carrierId === 'string')
    return { type: 'sent', carrierId: answer.carrierId }
  if ('refused' in answer) return { type: answer.optedOut === true ? 'dropped' : 'failed' }
  if ('retryAfter' in answer && answer.retryAfter >= 0) return { type: 'again', after: answer.retryAfter }
  throw new TypeError('A text carrier must answer with carrierId, refused or retryAfter.')
}
