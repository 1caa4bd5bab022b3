import type { TimeRange } from '@colloquy/core/domain'
import { after } from '../../database/after.ts'
import type { Session } from '../../database/session.ts'
import { type BlockPlace, packStatements } from './interval-statements.ts'

/** Packs the intervals of finished conversations in the background, some at a time. */
export interface IntervalPacking {
  /** A read of that range has come upon many loose ones of the scope. */
  foundMany(scope: number, range: TimeRange): void
  /** Resolves when nothing is being packed. */
  quiet(): Promise<void>
}

/** How packing goes. */
export interface PackingOptions {
  /** Fewer conversations than this in one place are left as they are. */
  readonly least: number
  /** As many places are looked for at once. */
  readonly most: number
  /** How long a range is left alone after it was packed, milliseconds: what is recent stays loose in any case. */
  readonly pause: number
}

/** What a store uses. */
export const PACKING: PackingOptions = { least: 256, most: 200, pause: 60_000 }

/** Each block is followed by a pause of this many times what it took: a long backlog leaves room for visitors. */
const REST = 2

/** How long transactions that began before are waited for, and between two looks, milliseconds. */
const PATIENCE = 60_000
const LOOK = 20

/** What is known of a scope. */
interface Asked {
  wanted: TimeRange | null
  packed: (TimeRange & { readonly at: number }) | null
  working: Promise<void> | null
}

const hull = (one: TimeRange, other: TimeRange): TimeRange => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
})

const isWithin = (part: TimeRange, whole: TimeRange): boolean =>
  part.from >= whole.from && part.to <= whole.to

/**
 * A block is made in three steps, so that none misses a change: its row is there first, and every change of a
 * conversation deletes it from then on; what began before, and may not see the row, is waited for; then the
 * conversations are read while the row is locked. What fails is left to the next time: what is not packed is found all
 * the same.
 */
export function createIntervalPacking(
  { define, transaction }: Pick<Session, 'define' | 'transaction'>,
  { least, most, pause }: PackingOptions,
): IntervalPacking {
  const run = packStatements(define)
  const scopes = new Map<number, Asked>()

  async function othersArePast(): Promise<boolean> {
    const { next = '' } = (await run.horizon.get({})) ?? {}
    for (const end = performance.now() + PATIENCE; performance.now() < end; await after(LOOK))
      if ((await run.isPast.get({ next }))?.past) return true
    return false
  }

  const pack = (scope: number, { span, stretch }: BlockPlace): Promise<void> =>
    transaction('pack conversations', async on => {
      const block = await run.lock.get({ scope, span, stretch }, on)
      if (block !== undefined) await run.fill.all(block, on)
    })

  async function packAll(scope: number, { from, to }: TimeRange): Promise<void> {
    for (;;) {
      const due = await run.due.all({ scope, from, to, least, most })
      if (due.length === 0) return
      await run.begin.all({
        scope,
        spans: due.map(({ span }) => span),
        stretches: due.map(({ stretch }) => stretch),
      })
      if (!(await othersArePast())) return
      for (const place of due) {
        const began = performance.now()
        await pack(scope, place)
        await after((performance.now() - began) * REST)
      }
      if (due.length < most) return
    }
  }

  /** Packs what is wanted of a scope, also what comes to be wanted meanwhile. */
  async function work(scope: number, asked: Asked): Promise<void> {
    while (asked.wanted !== null) {
      const range = asked.wanted
      asked.wanted = null
      await packAll(scope, range)
      asked.packed = { ...range, at: performance.now() }
    }
  }

  return {
    foundMany(scope, range) {
      const asked = scopes.get(scope) ?? { wanted: null, packed: null, working: null }
      scopes.set(scope, asked)
      const { packed } = asked
      if (packed !== null && performance.now() - packed.at < pause && isWithin(range, packed)) return
      asked.wanted = asked.wanted === null ? range : hull(asked.wanted, range)
      const ended = (): void => {
        asked.working = null
      }
      asked.working ??= work(scope, asked).then(ended, ended)
    },
    async quiet() {
      await Promise.all([...scopes.values()].map(({ working }) => working))
    },
  }
}
