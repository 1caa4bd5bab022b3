import type { Ids } from '../ports/ids.ts'

/**
 * Ids that are the same in every run: uuids `00000000-0000-4000-8000-000000000001` …, short ids `s00000000001` …,
 * secrets `secret-` and 32 digits. Each kind counts for itself.
 */
export function createSequentialIds(): Ids {
  const counts = { uuid: 0, short: 0, secret: 0 }
  const next = (kind: keyof typeof counts, digits: number): string =>
    `${++counts[kind]}`.padStart(digits, '0')
  return {
    uuid: () => `00000000-0000-4000-8000-${next('uuid', 12)}`,
    short: () => `s${next('short', 11)}`,
    secret: () => `secret-${next('secret', 32)}`,
  }
}
