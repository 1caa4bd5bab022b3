import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AttemptOutcome, refuseUnknown, type WebhookSender } from '@colloquy/core'
import { isPublicAddress } from './addresses.ts'
import {
  AddressRefused,
  createCheckedLookup,
  type ResolveAll,
  refusalOf,
  resolveBySystem,
} from './checked-lookup.ts'

/** What a sender may do; see the README. */
export interface WebhookSenderOptions {
  /**
   * Also reaches private, loopback and link-local addresses. Callers who may register endpoints can then make this
   * process send requests inside its network.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean
  /** Also sends over plain `http:`. @default false */
  readonly allowInsecure?: boolean
  /** How much of an answer's body is read before the connection is closed, bytes. @default 65536 */
  readonly maxResponseBytes?: number
  /** Resolves names. @default the operating system's resolver */
  readonly resolveAll?: ResolveAll
}

const MAX_RESPONSE_BYTES = 65_536

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof WebhookSenderOptions, true>> = {
  allowPrivateAddresses: true,
  allowInsecure: true,
  maxResponseBytes: true,
  resolveAll: true,
}

/**
 * The host of a URL without the brackets of IPv6. `new URL` has turned every spelling of an IPv4 address into a plain
 * one.
 */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Names that mean this machine without a look-up. */
const isLocalName = (host: string): boolean => /^(?:.*\.)?localhost\.?$/.test(host)

/** Reads an answer up to a bound, so that the receiver may finish its sentence, and keeps nothing. */
function drain(response: IncomingMessage, limit: number): void {
  let read = 0
  response.on('data', (chunk: Uint8Array) => {
    read += chunk.length
    if (read > limit) response.destroy()
  })
  response.on('error', () => undefined)
}

const failed = (reason: string): AttemptOutcome => ({ type: 'failed', reason })

/** What an error of the connection means, in words for people. */
function outcomeOf(error: Error & { readonly code?: string }, signal: AbortSignal): AttemptOutcome {
  if (error instanceof AddressRefused) return { type: 'refused', reason: error.message }
  if (signal.aborted) return failed(signal.reason instanceof Error ? signal.reason.message : 'Called off')
  const { code, message } = error
  return failed(code === undefined || message.includes(code) ? message : `${message} (${code})`)
}

/**
 * Sends webhooks with `node:https`. Every request has a connection of its own, so that none goes over one that was
 * opened for another purpose, or that the receiver is about to close. Long, because a request and its answer share a
 * deadline, a size limit and one outcome.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  refuseUnknown('createWebhookSender', options, Object.keys(OPTIONS))
  const { allowPrivateAddresses = false, allowInsecure = false } = options
  const { maxResponseBytes = MAX_RESPONSE_BYTES, resolveAll = resolveBySystem } = options
  const agents = { https: new HttpsAgent({ keepAlive: false }), http: new HttpAgent({ keepAlive: false }) }
  const lookup: { readonly lookup?: LookupFunction } = allowPrivateAddresses
    ? {}
    : { lookup: createCheckedLookup(resolveAll) }

  function objection(address: string): string | null {
    const url = URL.canParse(address) ? new URL(address) : null
    const allowed = allowInsecure ? ['https:', 'http:'] : ['https:']
    if (url === null || !allowed.includes(url.protocol))
      return allowInsecure
        ? 'expected an absolute http or https address'
        : 'expected an absolute https address'
    const host = hostOf(url)
    if (allowPrivateAddresses) return null
    // Sockets do not look literal addresses up, so these are checked here.
    const refused = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)
    return refused ? refusalOf(host).message : null
  }

  /** The request itself, to an address that the sender has nothing against. */
  function post({
    url,
    headers,
    body,
    signal,
  }: Parameters<WebhookSender['send']>[0]): Promise<AttemptOutcome> {
    const target = new URL(url)
    const secure = target.protocol === 'https:'
    const start = secure ? httpsRequest : httpRequest
    return new Promise(resolve => {
      const content = Buffer.from(body)
      const request = start(target, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        headers: { 'user-agent': 'Colloquy-Webhooks', ...headers, 'content-length': content.length },
        signal,
        ...lookup,
      })
      let outcome = failed('The connection was closed without an answer')
      request.once('response', response => {
        outcome = { type: 'answered', status: response.statusCode ?? 0 }
        drain(response, maxResponseBytes)
      })
      request.on('error', error => {
        if (outcome.type !== 'answered') outcome = outcomeOf(error, signal)
      })
      request.once('close', () => resolve(outcome))
      request.end(content)
    })
  }

  return {
    objection,
    async send(request) {
      const reason = objection(request.url)
      if (reason !== null) return { type: 'refused', reason }
      if (request.signal.aborted) return outcomeOf(new Error('The request was aborted.'), request.signal)
      try {
        return await post(request)
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
