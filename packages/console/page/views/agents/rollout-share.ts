import type { api } from '../../api.ts'
import { locale } from '../../texts/language.ts'

export type Rollout = Awaited<ReturnType<typeof api.listRollouts>>['rollouts'][number]

/** Basis points of everything. */
const WHOLE = 10_000

/** Returns the basis points that a text says in percent. Null if it says none. */
export function basisPointsOf(text: string): number | null {
  const trimmed = text.trim().replace(',', '.')
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(trimmed)) return null
  const points = Math.round(Number(trimmed) * 100)
  return points <= WHOLE ? points : null
}

/** Returns a share as its field has it. */
export const percentText = (basisPoints: number): string => String(basisPoints / 100)

/** Returns a share for people. */
export const shareShown = (basisPoints: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / WHOLE)

/** The state of a rollout, as a word for its badge. */
export const stateOf = ({ basisPoints, end }: Pick<Rollout, 'basisPoints' | 'end'>) =>
  end === null ? (basisPoints === 0 ? 'parked' : 'running') : 'ended'
