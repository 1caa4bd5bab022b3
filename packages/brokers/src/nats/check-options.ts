import { PlatformError, refuseUnknown } from '@colloquy/core'
import { BROKER_BUS_SETTINGS, checkSettings } from '@colloquy/core/broker'
import type { NodeConnectionOptions } from '@nats-io/transport-node'
import type { NatsBusOptions } from './nats-bus.ts'

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

function objectionTo(url: URL | null): string | null {
  if (url === null) return 'it is not a URL'
  if (!['nats:', 'tls:'].includes(url.protocol)) return `it begins with "${url.protocol}"`
  return url.hostname === '' ? 'it names no host' : null
}

/** The password in the address must never be part of a message. */
function checkUrl(text: unknown): URL {
  if (typeof text !== 'string') throw refusal(`url must be a text, not ${kindOf(text)}.`)
  const url = URL.canParse(text) ? new URL(text) : null
  const objection = objectionTo(url)
  if (url !== null && objection === null) return url
  throw refusal(
    `url must be the address of a NATS server, but ${objection}. For example nats://user:password@host:4222 or tls://host.`,
  )
}

/** A name alone is a token, as in other clients. */
function credentialsOf({ username, password }: URL): NodeConnectionOptions {
  if (username === '') return {}
  const name = decodeURIComponent(username)
  return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) }
}

const connectionOf = (url: URL): NodeConnectionOptions => ({
  servers: url.host,
  ...credentialsOf(url),
  ...(url.protocol === 'tls:' ? { tls: {} } : {}),
})

/** Names of servers, for messages; they hold no passwords. */
const serversOf = ({ servers }: NodeConnectionOptions): string =>
  servers === undefined ? 'NATS' : `NATS at ${[servers].flat().join(', ')}`

/**
 * Returns a bus's options, checked and with their defaults.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the option (EM4)
 */
export function checkOptions(options: NatsBusOptions) {
  refuseUnknown('createNatsBus', options, ['connection', 'url', 'prefix', ...BROKER_BUS_SETTINGS])
  const { connection, url, prefix = 'colloquy' } = options
  if ((connection === undefined) === (url === undefined))
    throw refusal('createNatsBus takes a url or the options of a connection, and not both.')
  if (connection !== undefined && (typeof connection !== 'object' || connection === null))
    throw refusal(`connection must be an object, not ${kindOf(connection)}.`)
  if (typeof prefix !== 'string' || !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(prefix))
    throw refusal('prefix must be words of letters, digits, "_" and "-", with a dot between two.')
  const chosen = connection ?? connectionOf(checkUrl(url))
  return { connection: chosen, broker: serversOf(chosen), prefix, settings: checkSettings(options) }
}
