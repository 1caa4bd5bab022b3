import { finished } from 'node:stream'
import { type AttemptOutcome, refuseNumbers, refuseUnknown, type WebhookSender } from '@colloquy/core'
import { isPublicAddress } from './addresses.ts'
import { takeBody } from './answer-body.ts'
import { AddressRefused, type ResolveAll, resolveBySystem } from './checked-lookup.ts'
import { createReach } from './reach.ts'

/** Options of a sender; see the README. */
export interface WebhookSenderOptions {
  /**
   * Also reaches private, loopback and link-local addresses. Callers who may register endpoints can then make this
   * process send requests inside its network.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean
  /** Also sends over plain `http:`. @default false */
  readonly allowInsecure?: boolean
  /**
   * Returns the bodies of private addresses, too. Callers who may register endpoints can then read the responses of
   * services inside the network to a POST request. The beginning of other responses is always returned.
   *
   * @default false
   */
  readonly keepPrivateAnswers?: boolean
  /** The number of bytes to read of a response body before the connection is closed. @default 65536 */
  readonly maxResponseBytes?: number
  /** Resolves names. @default the operating system's resolver */
  readonly resolveAll?: ResolveAll
}

const MAX_RESPONSE_BYTES = 65_536

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof WebhookSenderOptions, true>> = {
  allowPrivateAddresses: true,
  allowInsecure: true,
  keepPrivateAnswers: true,
  maxResponseBytes: true,
  resolveAll: true,
}

/**
 * Reports whether those who chose the address may read what came from there: the address that the connection had
 * counts.
 */
export const mayBeRead = (address: string | undefined, keepPrivateAnswers: boolean): boolean =>
  keepPrivateAnswers || (address !== undefined && isPublicAddress(address))

const failed = (reason: string): AttemptOutcome => ({ type: 'failed', reason })

/** Translates an error of the connection into a message for people. */
function outcomeOf(error: Error & { readonly code?: string }, signal: AbortSignal): AttemptOutcome {
  if (error instanceof AddressRefused) return { type: 'refused', reason: error.message }
  if (signal.aborted) return failed(signal.reason instanceof Error ? signal.reason.message : 'Called off')
  const { code, message } = error
  return failed(code === undefined || message.includes(code) ? message : `${message} (${code})`)
}

/**
 * Sends webhooks with `node:https`.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, and a number outside its range (EM4)
 */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  refuseUnknown('createWebhookSender', options, Object.keys(OPTIONS))
  refuseNumbers(options, { maxResponseBytes: { least: 0 } })
  const { allowPrivateAddresses = false, allowInsecure = false, keepPrivateAnswers = false } = options
  const { maxResponseBytes = MAX_RESPONSE_BYTES, resolveAll = resolveBySystem } = options
  const { objection, start } = createReach({ allowPrivateAddresses, allowInsecure, resolveAll })

  /** Returns the request itself, to an address that the sender has nothing against. */
  function post({
    url,
    headers,
    body,
    signal,
  }: Parameters<WebhookSender['send']>[0]): Promise<AttemptOutcome> {
    return new Promise(resolve => {
      const content = Buffer.from(body)
      const request = start(new URL(url), {
        method: 'POST',
        headers: { 'user-agent': 'Colloquy-Webhooks', ...headers, 'content-length': content.length },
        signal,
      })
      let problem = failed('The connection was closed without an answer')
      let isAnswered = false
      request.once('response', response => {
        isAnswered = true
        const status = response.statusCode ?? 0
        const isReadable = mayBeRead(response.socket.remoteAddress, keepPrivateAnswers)
        const body = takeBody(response, maxResponseBytes)
        // Also of an answer that is cut off: its status counts.
        finished(response, () =>
          resolve({ type: 'answered', status, ...(isReadable ? { body: body() } : {}) }),
        )
      })
      request.on('error', error => {
        problem = outcomeOf(error, signal)
      })
      request.once('close', () => {
        if (!isAnswered) resolve(problem)
      })
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
