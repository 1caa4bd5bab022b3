import { dirname, resolve } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

const DISPATCHER = resolve(REPOSITORY, 'packages/core/src/http/dispatcher.ts')
const CHECKED = resolve(REPOSITORY, 'test-support/src/checked-dispatcher.ts')

/**
 * What a module asks for: the dispatcher that checks its answers for the dispatcher (HT60); null for anything else.
 *
 * @param importer null for an entry
 */
export function checkedModule(source: string, importer: string | null): string | null {
  if (importer === null || importer === CHECKED || !source.endsWith('/dispatcher.ts')) return null
  return resolve(dirname(importer), source) === DISPATCHER ? CHECKED : null
}
