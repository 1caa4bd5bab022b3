import { PlatformError, refuseUnknown } from '@colloquy/core'
import { BROKER_BUS_SETTINGS, checkSettings } from '@colloquy/core/broker'
import { LONGEST_NAME, objectionToNumber, objectionToUrl } from '../check-options.ts'
import { placeOf } from '../database/place.ts'
import type { PostgresBusOptions } from './postgres-bus.ts'
import type { PostgresConnectionOptions } from './postgres-connection.ts'

const EXAMPLE = "For example createPostgresBus({ url: 'postgres://user:password@localhost:5432/colloquy' })."

const refusal = (message: string): PlatformError =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', `${message} ${EXAMPLE}`)

function refuseWhere(objection: string | null): void {
  if (objection !== null) throw refusal(objection)
}

function checkChannel(channel: unknown): void {
  if (
    typeof channel !== 'string' ||
    channel === '' ||
    Buffer.byteLength(channel) > LONGEST_NAME ||
    channel.includes('\u0000')
  )
    throw refusal(`channel must be a name of 1 to ${LONGEST_NAME} bytes.`)
}

/** Returns the server, for messages; without user and password. */
function placeOfConnection({ host, port, database, connectionString }: PostgresConnectionOptions): string {
  if (connectionString !== undefined && URL.canParse(connectionString)) return placeOf(connectionString)
  return `${host ?? 'the local server'}${port === undefined ? '' : `:${port}`}${database === undefined ? '' : `/${database}`}`
}

/**
 * Returns a bus's options, checked and with their defaults.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the option (EM4)
 */
export function checkBusOptions(options: PostgresBusOptions) {
  refuseUnknown('createPostgresBus', options, [
    ...['connection', 'url', 'channel', 'batchInterval', 'maxNotice'],
    ...BROKER_BUS_SETTINGS,
  ])
  const { url, connection, channel = 'colloquy', batchInterval = 10, maxNotice = 262_144 } = options
  if ((connection === undefined) === (url === undefined))
    throw refusal('createPostgresBus takes a url or the options of a connection, and not both.')
  if (connection !== undefined && (typeof connection !== 'object' || connection === null))
    throw refusal(`connection must be an object, not ${connection === null ? 'null' : typeof connection}.`)
  if (url !== undefined) refuseWhere(objectionToUrl(url))
  checkChannel(channel)
  refuseWhere(objectionToNumber('batchInterval', batchInterval, 0))
  refuseWhere(objectionToNumber('maxNotice', maxNotice, 1))
  const chosen: PostgresConnectionOptions = connection ?? { connectionString: url ?? '' }
  return {
    connection: chosen,
    broker: `PostgreSQL at ${placeOfConnection(chosen)}`,
    channel,
    batchInterval,
    maxNotice,
    settings: checkSettings(options),
  }
}
