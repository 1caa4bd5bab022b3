import { PlatformError, refuseUnknown } from '@colloquy/core'
import type { PostgresStoreOptions } from './store.ts'

type Option = PostgresStoreOptions extends infer Options
  ? Options extends unknown
    ? keyof Options
    : never
  : never

const OPTIONS: Readonly<Record<Option, true>> = {
  url: true,
  pool: true,
  schema: true,
  prepare: true,
  create: true,
  exclusive: true,
  writesPerStatement: true,
  log: true,
  maxConnections: true,
  connectionTimeout: true,
  statementTimeout: true,
  lockTimeout: true,
}

const EXAMPLE =
  "For example createPostgresStore({ url: 'postgres://user:password@localhost:5432/colloquy' })."

const refusal = (message: string): PlatformError =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', `${message} ${EXAMPLE}`)

/** Longer names are cut off by the server. */
export const LONGEST_NAME = 63

/** The largest number of milliseconds for timers of Node and settings of the server. */
const LONGEST = 2_147_483_647

/** Describes a value for people; an object by its type alone. */
const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? JSON.stringify(value)
    : value === null
      ? 'null'
      : typeof value

/** Returns the problem with a number; null if it is valid. */
export function objectionToNumber(
  name: string,
  value: unknown,
  least: number,
  most = LONGEST,
): string | null {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return null
  return `${name} must be a whole number from ${least} to ${most}, not ${shown(value)}.`
}

function checkNumber(options: object, name: Option, least: number, most?: number): void {
  const value: unknown = Reflect.get(options, name)
  const objection = value === undefined ? null : objectionToNumber(name, value, least, most)
  if (objection !== null) throw refusal(objection)
}

/** Returns the problem with the URL of a server; null if it is valid. Never quotes the URL: it may hold a password. */
export function objectionToUrl(url: unknown): string | null {
  const given = url === '' ? 'an empty string' : typeof url
  if (typeof url !== 'string' || url === '') return `url must be a text, not ${given}.`
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null) return 'url must be a URL: it cannot be read as one.'
  return ['postgres:', 'postgresql:'].includes(parsed.protocol)
    ? null
    : `url must begin with postgres: or postgresql:, not ${parsed.protocol}`
}

function checkUrl(url: unknown): void {
  const objection = objectionToUrl(url)
  if (objection !== null) throw refusal(objection)
}

function checkSchema(schema: unknown): void {
  if (schema === undefined) return
  if (
    typeof schema !== 'string' ||
    schema === '' ||
    Buffer.byteLength(schema) > LONGEST_NAME ||
    schema.includes('\u0000')
  )
    throw refusal(`schema must be a name of 1 to ${LONGEST_NAME} bytes, not ${shown(schema)}.`)
  if (schema.startsWith('pg_') || schema === 'information_schema')
    throw refusal(`schema must not be one of PostgreSQL's own, as ${schema} is.`)
}

const OF_OWN_POOL: readonly Option[] = [
  'maxConnections',
  'connectionTimeout',
  'statementTimeout',
  'lockTimeout',
]

/** @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4) */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw refusal(
      `createPostgresStore takes an object of options, not ${options === null ? 'null' : typeof options}.`,
    )
  refuseUnknown('createPostgresStore', options, Object.keys(OPTIONS))
  const given = (name: Option): unknown => Reflect.get(options, name)
  if ((given('url') === undefined) === (given('pool') === undefined))
    throw refusal('createPostgresStore takes a url or a pool: one of them, and not both.')
  if (given('pool') === undefined) checkUrl(given('url'))
  else {
    const pool = given('pool')
    if (typeof pool !== 'object' || pool === null || !('connect' in pool) || !('query' in pool))
      throw refusal(`pool must be a Pool of pg, not ${shown(pool)}.`)
    for (const name of OF_OWN_POOL)
      if (given(name) !== undefined)
        throw refusal(`${name} goes with url; a pool that is handed in has its own.`)
  }
  checkSchema(given('schema'))
  for (const name of ['prepare', 'create', 'exclusive'] as const) {
    const value = given(name)
    if (value !== undefined && typeof value !== 'boolean')
      throw refusal(`${name} must be true or false, not ${shown(value)}.`)
  }
  checkNumber(options, 'writesPerStatement', 1, 1_000)
  checkNumber(options, 'maxConnections', 1)
  checkNumber(options, 'connectionTimeout', 1)
  checkNumber(options, 'statementTimeout', 0)
  checkNumber(options, 'lockTimeout', 0)
}
