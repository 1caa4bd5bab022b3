import type { Memory, RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import type { TurnContext } from './turn-context.ts'
import { baseOf } from './wording.ts'

/** A queue that is closed now, and whether the newest handoff has failed for it already. */
interface Closed {
  readonly queue: NonNullable<RuntimeTurn['closedQueue']>
  readonly isKnown: boolean
}

/** Returns the closed queue for which nobody would come for a handoff. Null if somebody may come. */
export async function closedFor(
  { turn }: Pick<TurnContext, 'turn'>,
  { handedTo }: Memory,
  destination: string,
): Promise<Closed | null> {
  const { closedQueue = null } = turn
  if (closedQueue !== null && handedTo === destination) return { queue: closedQueue, isKnown: true }
  const queue = (await turn.closedFor?.(destination)) ?? null
  return queue === null ? null : { queue, isKnown: false }
}

/** Returns a moment in words, by the clock of a time zone. */
function momentOf(at: number, language: string, timeZone: string): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' } as const
  try {
    return new Intl.DateTimeFormat(language.replaceAll('_', '-'), { ...day, ...time }).format(at)
  } catch {
    // A host may name its phrases by codes that are none.
    return new Intl.DateTimeFormat('en', { ...day, ...time }).format(at)
  }
}

/** A handoff for which nobody is there. */
interface Wish {
  readonly closed: Closed
  readonly destination: string
  readonly reason: string
  /** Whether the turn has said something before. */
  readonly isFurther: boolean
}

/**
 * Says that nobody is there, until when, and whether a message is taken (RT40). The first time the handoff follows: it
 * fails at once, and colleagues find the conversation by it.
 */
export function* sayClosed(
  { turn, wording }: Pick<TurnContext, 'turn' | 'wording'>,
  memory: Memory,
  { closed, destination, isFurther, reason }: Wish,
): Generator<RuntimePart, Memory> {
  const { opensAt, timeZone = 'UTC', takesMessages } = closed.queue
  const { language, phrases } = wording
  const codes = [turn.language, turn.content.responseSettings.languageCode]
  const written = codes.find(code => baseOf(code) === language) ?? language
  const back =
    opensAt === null ? '' : phrases.back.replace('{time}', () => momentOf(opensAt, written, timeZone))
  const said = [phrases.closed, back, takesMessages ? phrases.leaveMessage : ''].filter(one => one !== '')
  yield { type: 'node', name: 'closed' }
  yield { type: 'text', text: `${isFurther ? '\n\n' : ''}${said.join(' ')}` }
  if (!closed.isKnown) yield { type: 'handoff', destination, reason }
  return { ...memory, awaitsMessage: takesMessages, failures: 0, handedTo: destination }
}
