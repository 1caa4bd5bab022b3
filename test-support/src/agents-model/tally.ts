import { expect } from 'vitest'
import type { Conflict, Resolution } from './conflict-resolver.ts'

/** Counts of the events in the histories played. They prove that the histories covered enough. */
export interface Tally {
  /** Merges that were written, by whether resolutions were needed. */
  readonly merges: { plain: number; resolved: number }
  /** Conflicts met, by their type. */
  readonly met: Record<Conflict['type'], number>
  /** Conflicts about which variant is the default, and about attributes. */
  readonly special: { isDefault: number; attribute: number; value: number }
  invalid: number
  promotions: number
  rollbacks: number
  refusals: number
  /** The most revisions of one agent. */
  revisions: number
  conflicts(conflicts: readonly Conflict[]): void
  merged(resolutions: readonly Resolution[]): void
  /** True when the histories went deep: each of these happened, and not only once or twice. */
  isDeep(): boolean
  /** Fails unless the histories went deep. */
  expectDeep(): void
}

/** A tally of nothing yet. */
export function createTally(): Tally {
  const merges = { plain: 0, resolved: 0 }
  const met = { modify: 0, add: 0, delete: 0 }
  const special = { isDefault: 0, attribute: 0, value: 0 }
  const rare = (): readonly (readonly [string, number])[] => {
    const { invalid, promotions, rollbacks, refusals, revisions } = tally
    const counts = { ...merges, ...met, ...special, invalid, promotions, rollbacks, refusals, revisions }
    return Object.entries(counts).filter(([, count]) => count < 3)
  }
  const tally: Tally = {
    merges,
    met,
    special,
    invalid: 0,
    promotions: 0,
    rollbacks: 0,
    refusals: 0,
    revisions: 0,
    conflicts(conflicts) {
      for (const { path, type } of conflicts) {
        met[type] += 1
        if (path.at(-1) === 'isDefault') special.isDefault += 1
        if (path[0] === 'attributes') special.attribute += 1
        if (path[2] === 'attributeValues') special.value += 1
      }
    },
    merged(resolutions) {
      merges[resolutions.length > 0 ? 'resolved' : 'plain'] += 1
    },
    isDeep: () => rare().length === 0 && tally.revisions > 8 && merges.resolved > 10,
    expectDeep() {
      expect(rare()).toEqual([])
      expect(tally.revisions).toBeGreaterThan(8)
      expect(merges.resolved).toBeGreaterThan(10)
    },
  }
  return tally
}
