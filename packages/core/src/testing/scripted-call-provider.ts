import type { CallProvider, CallStanding, CallToAsk, CallToPlace } from '../ports/call-provider.ts'

/** The provider's reaction to the next call: takes it, or one of the ways in which it does not. */
export type CallStep =
  | 'takes'
  /** Has it, but the answer is lost. */
  | 'loses the answer'
  /** Does not take it. */
  | 'refuses'
  /** Never answers; it has not got it. */
  | 'hangs'

/** The provider's reaction to the next question about a call. */
export type StandingStep =
  | 'says'
  /** Rejects. */
  | 'fails'
  /** Never answers. */
  | 'hangs'

/** A call that the provider makes. */
export interface TakenCall extends Omit<CallToPlace, 'signal'> {
  readonly providerId: string
}

/**
 * A provider for tests: follows its script, and records the calls that it has taken. The test reports the results of
 * calls.
 */
export interface ScriptedCallProvider extends Required<CallProvider> {
  /** The calls that it has accepted, in order. */
  readonly taken: readonly TakenCall[]
  /** All requests, in order. */
  readonly asked: readonly CallToPlace[]
  /** Sets the reactions to the next calls, one after the other. After them it accepts each call. */
  script(...steps: readonly CallStep[]): void
  /** The calls that it was asked about, in order. */
  readonly questions: readonly CallToAsk[]
  /**
   * Sets the state of a call from now on, by the platform's id. By default, an accepted call is `queued`, any other
   * `unknown`.
   */
  stand(id: string, standing: CallStanding): void
  /** Sets the reactions to the next questions, one after the other. After them it says the state of each call. */
  scriptStatus(...steps: readonly StandingStep[]): void
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/**
 * Returns a provider that makes each call once.
 *
 * @param name begins the ids that it gives. @default "CA"
 */
export function createScriptedCallProvider(name = 'CA'): ScriptedCallProvider {
  const taken: TakenCall[] = []
  const asked: CallToPlace[] = []
  const steps: CallStep[] = []
  const questions: CallToAsk[] = []
  const statusSteps: StandingStep[] = []
  const standings = new Map<string, CallStanding>()

  function take({ signal: _, ...call }: CallToPlace): { readonly providerId: string } {
    const providerId = `${name}-${taken.length + 1}`
    taken.push({ ...call, providerId })
    return { providerId }
  }

  return {
    taken,
    asked,
    script: (...more) => void steps.push(...more),
    async place(call) {
      asked.push(call)
      call.signal.throwIfAborted()
      switch (steps.shift() ?? 'takes') {
        case 'takes':
          return take(call)
        case 'loses the answer':
          take(call)
          throw new Error('The answer was lost.')
        case 'refuses':
          throw new Error('The call was refused.')
        case 'hangs':
          return untilAborted(call.signal)
      }
    },
    questions,
    stand: (id, standing) => void standings.set(id, standing),
    scriptStatus: (...more) => void statusSteps.push(...more),
    async status(call) {
      questions.push(call)
      call.signal.throwIfAborted()
      const step = statusSteps.shift() ?? 'says'
      if (step === 'fails') throw new Error('The provider does not answer.')
      if (step === 'hangs') return untilAborted(call.signal)
      const isOurs = taken.some(({ id, providerId }) => id === call.id && providerId === call.providerId)
      return isOurs ? (standings.get(call.id) ?? { type: 'queued' }) : { type: 'unknown' }
    },
  }
}
