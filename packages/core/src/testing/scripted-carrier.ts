import type { TextAnswer, TextCarrier, TextToSend } from '../ports/text-carrier.ts'

/** The carrier's reaction to the next text: takes it, or one of the ways in which it does not. */
export type CarrierStep =
  | 'takes'
  /** Has it, but the answer is lost. */
  | 'loses the answer'
  /** Never heard of it. */
  | 'loses the request'
  /** Never answers; it has not got it. */
  | 'hangs'
  | Exclude<TextAnswer, { readonly carrierId: string }>

/** A text that the carrier has. */
export interface TakenText {
  readonly carrierId: string
  readonly id: string
  readonly from: string | null
  readonly to: string
  readonly text: string
}

/** A carrier for tests: follows its script, and records the texts that it has taken. */
export interface ScriptedCarrier extends TextCarrier {
  /** The texts that it has accepted, in order. */
  readonly taken: readonly TakenText[]
  /** All requests, in order. */
  readonly asked: readonly TextToSend[]
  /** Sets the reactions to the next texts, one after the other. After them it accepts each text. */
  script(...steps: readonly CarrierStep[]): void
}

/**
 * Returns a carrier that has each text once, whatever it is asked: one of an id that it has is answered as before.
 *
 * @param name begins the ids that it gives. @default "SM"
 */
export function createScriptedCarrier(name = 'SM'): ScriptedCarrier {
  const taken: TakenText[] = []
  const asked: TextToSend[] = []
  const steps: CarrierStep[] = []

  function take({ id, from, to, text }: TextToSend): TakenText {
    const known = taken.find(one => one.id === id)
    if (known !== undefined) return known
    const one = { carrierId: `${name}-${taken.length + 1}`, id, from, to, text }
    taken.push(one)
    return one
  }

  return {
    taken,
    asked,
    script: (...more) => void steps.push(...more),
    async send(text) {
      asked.push(text)
      const step = steps.shift() ?? 'takes'
      switch (step) {
        case 'takes':
          return { carrierId: take(text).carrierId }
        case 'loses the answer':
          take(text)
          throw new Error('The answer was lost.')
        case 'loses the request':
          throw new Error('The request was lost.')
        case 'hangs':
          return new Promise((_, reject) =>
            text.signal.addEventListener('abort', () => reject(text.signal.reason), { once: true }),
          )
        default:
          return step
      }
    },
  }
}
