import type { Memory, RuntimePart } from '@colloquy/core/runtime'
import type { TurnContext } from './turn-context.ts'
import { baseOf } from './wording.ts'

/** Reports whether nobody is there for a handoff: the newest one had the same destination and a closed queue. */
export const isClosed = ({ turn }: Pick<TurnContext, 'turn'>, { handedTo }: Memory, destination: string) =>
  (turn.closedQueue ?? null) !== null && handedTo === destination

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

const UNKNOWN = { opensAt: null, takesMessages: false, timeZone: 'UTC' } as const

/** Says that nobody is there, until when, and whether a message is taken (RT40). */
export function* sayClosed(
  { turn, wording }: Pick<TurnContext, 'turn' | 'wording'>,
  memory: Memory,
  isFurther: boolean,
): Generator<RuntimePart, Memory> {
  const { opensAt, timeZone = 'UTC', takesMessages } = turn.closedQueue ?? UNKNOWN
  const { language, phrases } = wording
  const codes = [turn.language, turn.content.responseSettings.languageCode]
  const written = codes.find(code => baseOf(code) === language) ?? language
  const back =
    opensAt === null ? '' : phrases.back.replace('{time}', () => momentOf(opensAt, written, timeZone))
  const said = [phrases.closed, back, takesMessages ? phrases.leaveMessage : ''].filter(one => one !== '')
  yield { type: 'node', name: 'closed' }
  yield { type: 'text', text: `${isFurther ? '\n\n' : ''}${said.join(' ')}` }
  return { ...memory, awaitsMessage: takesMessages, failures: 0 }
}
