import { PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import type { SqliteStoreOptions } from './database/database.ts'

const OPTIONS: readonly (keyof SqliteStoreOptions)[] = ['filename', 'busyTimeout', 'exclusive']

const refusal = (message: string): PlatformError =>
  new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `${message} For example createSqliteStore({ filename: 'a.db' }).`,
  )

/** @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4) */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw refusal(
      `createSqliteStore takes an object of options, not ${options === null ? 'null' : typeof options}.`,
    )
  refuseUnknown('createSqliteStore', options, OPTIONS)
  refuseNumbers(options, { busyTimeout: { least: 0 } })
  const exclusive: unknown = Reflect.get(options, 'exclusive')
  if (exclusive !== undefined && typeof exclusive !== 'boolean')
    throw refusal(`exclusive must be true or false, not ${typeof exclusive}.`)
  const filename: unknown = Reflect.get(options, 'filename')
  if (typeof filename === 'string' && filename !== '') return
  const given = filename === '' ? 'an empty string' : typeof filename
  throw refusal(`filename must be a path, or ":memory:", not ${given}.`)
}
