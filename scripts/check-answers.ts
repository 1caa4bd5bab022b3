import { dirname, resolve } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

/** Modules of core, and those that stand in for them in tests: the same, but they check what goes out (HT18 and MS42). */
const CHECKED = new Map(
  [
    ['http/dispatcher.ts', 'checked-dispatcher.ts'],
    ['http/desk-wire.ts', 'checked-desk-wire.ts'],
    ['usecases/messaging/send-frame.ts', 'checked-frame.ts'],
  ].map(([plain = '', checked = '']) => [
    resolve(REPOSITORY, 'packages/core/src', plain),
    resolve(REPOSITORY, 'test-support/src', checked),
  ]),
)

/**
 * Returns the checking module in place of an imported one; null if there is none.
 *
 * @param importer null for an entry
 */
export function checkedModule(source: string, importer: string | null): string | null {
  if (importer === null || !source.startsWith('.')) return null
  const checked = CHECKED.get(resolve(dirname(importer), source))
  return checked === undefined || importer === checked ? null : checked
}
