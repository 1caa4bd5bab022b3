import type { Command, Pinning } from '../../domain/conversation/command.ts'
import { type ConversationEvent, clientIds } from '../../domain/conversation/event.ts'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import { FAILURE_TEXT } from '../../domain/conversation/pending-inputs.ts'
import { filesBeside, filesOfEvent } from '../../domain/conversation/sent-files.ts'
import { textOfFiles } from '../../domain/file/file.ts'
import { type ErrorCode, isPlatformError } from '../../errors.ts'
import { type ClientEvent, clientIdsOf, typingState } from '../../protocol/client-frame.ts'
import { OTHER_WORDS_TEXT, REFUSAL_TEXTS } from '../../protocol/system-messages.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import { nameFiles } from '../files/store-file.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import { linkCall } from './call-links.ts'
import { setContext } from './set-context.ts'
import type { EventSender } from './visitor-connection.ts'

type CarriedEvent = Exclude<
  ClientEvent,
  { type: 'HEARTBEAT' | 'SET_CONTEXT' | 'LINK_TO_WEBRTC_CONVERSATION' }
>

/**
 * Carries out one event of a visitor's client; never rejects. If it had no effect, the sender gets the reason (MS16).
 * Resolves to false after a failure.
 */
export async function takeEvent(sender: EventSender, event: ClientEvent): Promise<boolean> {
  const { session } = sender
  const { connectorId, id, parts } = session
  session.feed.refresh()
  try {
    if (event.type === 'HEARTBEAT') sender.heartbeat(event)
    else if (session.revoked) sender.close('session_unknown')
    else if (event.type === 'SET_CONTEXT') await setContext(sender, event)
    else if (event.type === 'LINK_TO_WEBRTC_CONVERSATION') {
      if (connectorId !== null) await linkCall(parts.context, connectorId, event.payload.call_sid, id)
      session.presence.seen()
    } else {
      const pinning = runsAgent(event) && !session.pinned ? await session.pinning() : null
      // A message without files reads nothing for them.
      const named = event.type === 'USER_MESSAGE' ? event.payload.file_ids : undefined
      const files = named === undefined ? NONE : await nameFiles(parts.context, id, 'visitor', named)
      const command = commandOf(sender, event, pinning, files)
      const outcome = await (mayBeSentAgain(event) ? untilTaken : take)(sender, command)
      if (outcome.status === 'done') session.wrote(outcome.state)
      else await answer(sender, event, outcome)
    }
    return true
  } catch (error) {
    if (isPlatformError(error) && OF_FILES.has(error.code)) {
      session.presence.seen()
      sender.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', error.message, event.custom)
      return true
    }
    session.parts.context.settings.onError(error, `messaging ${event.type}`)
    tellFailure(sender, event)
    return false
  }
}

/** Refusals of a message's files, which its sender reads in their own words (FI8). */
const OF_FILES: ReadonlySet<ErrorCode> = new Set(['FILE_NOT_FOUND', 'FILES_LIMIT', 'NOT_IMPLEMENTED'])

/** Events that no client sends again, and whose failure is not reported to visitors. */
const UNANSWERED: ReadonlySet<ClientEvent['type']> = new Set([
  'HEARTBEAT',
  'USER_TYPING',
  'SET_CONTEXT',
  'LINK_TO_WEBRTC_CONVERSATION',
])

/** Reports whether an event carries an id under which its sender may send it again. */
export const mayBeSentAgain = ({ type, custom }: ClientEvent): boolean =>
  !UNANSWERED.has(type) && clientIds(clientIdsOf(custom)).length > 0

/** Sends the sender of an event the error. */
function tellFailure(sender: EventSender, { type, custom }: ClientEvent): void {
  sender.session.presence.seen()
  if (UNANSWERED.has(type)) return
  const text = type === 'REQUEST_AI_AGENT_JOIN' ? FAILURE_TEXT.start : FAILURE_TEXT.reply
  sender.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', text, custom)
}

const runsAgent = ({ type }: CarriedEvent): boolean =>
  type === 'USER_MESSAGE' || type === 'REQUEST_AI_AGENT_JOIN'

const take = ({ session }: EventSender, command: Command): Promise<Outcome> =>
  session.parts.engine.execute(session.id, command)

/**
 * Carries out a command with a client's id, and retries while the store is busy. If a command took effect although its
 * answer was lost, the retry finds its echo, which then comes like any other event (MS44). A command without an id
 * might take effect twice.
 */
async function untilTaken(sender: EventSender, command: Command): Promise<Outcome> {
  const { session } = sender
  const { context, engine } = session.parts
  const { clock } = context
  let tries = 0
  const execute = (): Promise<Outcome> => {
    tries++
    return take(sender, command)
  }
  const outcome = await whileBusyFor(clock, PATIENCE, execute)
  if (tries === 1 || outcome.status !== 'duplicate') return outcome
  session.feed.grown(outcome.event.sequence)
  const state = await engine.load(session.id)
  return state === null ? { status: 'missing' } : { status: 'done', state, events: [] }
}

const NONE: readonly SentFile[] = []

function commandOf(
  sender: EventSender,
  event: CarriedEvent,
  pinning: Pinning | null,
  files: readonly SentFile[],
): Command {
  const { custom } = event
  const { clientEventId, localId } = clientIdsOf(custom)
  const origin = { sender: sender.id, custom, clientEventId, localId }
  switch (event.type) {
    case 'REQUEST_AI_AGENT_JOIN':
      return { type: 'join', pinning, ...origin }
    case 'USER_MESSAGE':
      return {
        type: 'message',
        text: event.payload.text || textOfFiles(files),
        pinning,
        ...filesBeside({ files }),
        ...origin,
      }
    case 'USER_END_SESSION':
      return { type: 'end', ...origin }
    case 'USER_TYPING':
      return { type: 'typing', state: typingState(event) }
  }
}

/** Reports whether an id comes again with another message. Then it is no repetition, and nothing was said (EN6). */
const hasOtherWords = (sent: ClientEvent, { type, payload }: ConversationEvent): boolean =>
  sent.type === 'USER_MESSAGE' &&
  (type !== 'USER_MESSAGE' ||
    (sent.payload.text !== '' && payload.text !== sent.payload.text) ||
    filesOfEvent({ payload })
      .map(file => file.file_id)
      .join() !== (sent.payload.file_ids ?? []).join())

/** Answers an event that had no effect. */
async function answer(
  sender: EventSender,
  event: ClientEvent,
  outcome: Exclude<Outcome, { status: 'done' }>,
): Promise<void> {
  const { session } = sender
  switch (outcome.status) {
    case 'duplicate':
      session.presence.seen()
      if (hasOtherWords(event, outcome.event))
        return sender.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', OTHER_WORDS_TEXT, event.custom)
      // The original may still be on its way to the sender; the copy must not overtake it.
      session.feed.grown(outcome.event.sequence)
      await session.feed.quiet()
      return sender.resend(outcome.event)
    case 'refused':
      session.presence.seen()
      if (event.type === 'USER_TYPING') return
      return sender.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', REFUSAL_TEXTS[outcome.refusal], event.custom)
    case 'missing':
      return sender.close('session_unknown')
  }
}
