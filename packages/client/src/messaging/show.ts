import { isLost } from './connection.ts'
import { ownMessage } from './log.ts'
import type { Conversation, State, Status } from './state.ts'

function statusOf(state: State): Status {
  const { log, online, phase } = state
  switch (phase) {
    case 'token':
    case 'session':
    case 'asking':
    case 'connecting':
    case 'waiting':
      if (!online) return 'offline'
      if (isLost(state)) return 'lost'
      return log.cursor > 0 ? 'reconnecting' : 'connecting'
    case 'ready':
      return 'open'
    case 'destroyed':
      return 'ended'
    default:
      return phase
  }
}

/** Returns the conversation that a visitor sees in a state. */
export function show(state: State): Conversation {
  const { log, outbox, problem } = state
  const { handoff, language, maxMessageBytes, notice, servedBy, takes, thinking, typing } = log
  const waiting = outbox
    .filter(({ id, kind }) => kind === 'message' && !log.messages.some(message => message.id === id))
    .map(({ files, id, problem, text }) => ownMessage(id, text, problem, files))
  return {
    status: statusOf(state),
    messages: [...log.messages, ...waiting],
    ...{ servedBy, thinking, typing, handoff, language, notice, problem, maxMessageBytes, takes },
    endReason: log.ended,
  }
}

/** Reports whether both look the same. */
export const looksLike = (one: State, other: State): boolean =>
  one.log === other.log &&
  one.outbox === other.outbox &&
  one.problem === other.problem &&
  one.online === other.online &&
  isLost(one) === isLost(other) &&
  one.phase === other.phase
