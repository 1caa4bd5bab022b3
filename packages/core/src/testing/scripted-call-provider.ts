import type { CallProvider, CallToPlace } from '../ports/call-provider.ts'

/** What the provider does with the next call: takes it, or one of the ways in which it does not. */
export type CallStep =
  | 'takes'
  /** Has it, but the answer is lost. */
  | 'loses the answer'
  /** Does not take it. */
  | 'refuses'
  /** Never answers; it has not got it. */
  | 'hangs'

/** A call that the provider makes. */
export interface TakenCall extends Omit<CallToPlace, 'signal'> {
  readonly providerId: string
}

/** A provider for tests: does as it is told, and keeps what it has taken. What becomes of a call, the test reports. */
export interface ScriptedCallProvider extends CallProvider {
  /** What it has taken, in order. */
  readonly taken: readonly TakenCall[]
  /** All that it was asked for, in order. */
  readonly asked: readonly CallToPlace[]
  /** What it does with the next calls, one after the other; then it takes each. */
  script(...steps: readonly CallStep[]): void
}

/**
 * A provider that makes each call once.
 *
 * @param name begins the ids that it gives. @default "CA"
 */
export function createScriptedCallProvider(name = 'CA'): ScriptedCallProvider {
  const taken: TakenCall[] = []
  const asked: CallToPlace[] = []
  const steps: CallStep[] = []

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
          return new Promise((_, reject) =>
            call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true }),
          )
      }
    },
  }
}
