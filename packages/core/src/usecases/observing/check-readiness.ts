import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'

/** The time that the store has to answer before it counts as unavailable, milliseconds. */
const STORE_DEADLINE = 2_000

/** The readiness of a process, with the reason if it is not ready. */
export interface Readiness {
  /** False while the platform closes, or its store does not answer: send no requests here. */
  readonly ready: boolean
  readonly store: 'ok' | 'away'
  readonly closing: boolean
  /** The reason why `secretsKey` does not open what the store holds; null: it does, or none is given. */
  readonly secrets: string | null
}

/** An id that no conversation has: reading it is a look-up by key that finds nothing. */
const NO_CONVERSATION = 'health'

/** Sends the store an empty request, and reports whether it answered in time (OB20). Never rejects. */
export async function checkReadiness(
  { clock, store }: Pick<Context, 'clock' | 'store'>,
  closing: boolean,
  { problem }: { readonly problem: () => Error | null },
): Promise<Readiness> {
  const late = new Error(`The store did not answer within ${STORE_DEADLINE} ms.`)
  const answered = await within(clock, { limit: STORE_DEADLINE, late }, () =>
    store.conversations.load(NO_CONVERSATION),
  ).then(
    () => true,
    () => false,
  )
  const secrets = problem()?.message ?? null
  const ready = answered && !closing && secrets === null
  return { ready, store: answered ? 'ok' : 'away', closing, secrets }
}
