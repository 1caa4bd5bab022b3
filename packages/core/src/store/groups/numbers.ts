import type { Outbox } from '../../ports/store/outbox.ts'
import type { AddedNumbers } from '../../ports/store/phone-numbers.ts'
import type { Kind, Versioned } from '../documents.ts'
import { absent, type Guarded, unchanged, versioned } from '../guarded.ts'

/** A number of an agent. */
interface Numbered {
  readonly number: string
  readonly agentId: string
}

/** Adds numbers of one agent, all or none; no agent has more than `limit`. */
export function addNumbers<T extends Numbered>(
  { decided, get }: Guarded,
  kind: Kind<Versioned<T>>,
  given: { readonly numbers: readonly T[]; readonly limit: number; readonly outbox: Outbox | undefined },
): Promise<AddedNumbers> {
  const { limit, numbers, outbox } = given
  const ids = numbers.map(({ number }) => number)
  const prefix = [numbers[0]?.agentId ?? '']
  return decided<AddedNumbers>(async () => {
    const there = await get(kind, ids)
    const taken = ids.filter((_, at) => there[at] !== null)
    if (taken.length > 0) return { result: { outcome: 'taken', numbers: taken } }
    const room = { kind, index: 'agent', prefix, atMost: limit - numbers.length }
    return {
      when: [...ids.map(id => absent(kind, id)), room],
      put: numbers.map(number => ({ kind, value: versioned(number) })),
      outbox,
      result: { outcome: 'added' },
      refused: place => (place === ids.length ? { outcome: 'full' } : undefined),
    }
  })
}

/** Removes a number of the agent. False when it has none such. */
export function removeNumber<T extends Numbered>(
  { decided, one }: Guarded,
  kind: Kind<T>,
  given: { readonly agentId: string; readonly number: string; readonly outbox: Outbox | undefined },
): Promise<boolean> {
  const { agentId, number, outbox } = given
  return decided(async () => {
    const found = await one(kind, number)
    if (found?.agentId !== agentId) return { result: false }
    return { when: [unchanged(kind, found)], remove: [{ kind, id: number }], outbox, result: true }
  })
}
