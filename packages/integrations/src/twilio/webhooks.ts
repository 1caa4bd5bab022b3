import { isPlatformError, type Platform, refuseUnknown, type TextKeyword } from '@colloquy/core'
import { keywordOf } from '@colloquy/core/domain'
import { standingOf } from './call-statuses.ts'
import { isSignedBy } from './signature.ts'

/** Options of the handler. */
export interface TwilioHandlerOptions {
  readonly platform: Pick<Platform, 'calls' | 'texts' | 'settings'>
  /** The account's token, with which Twilio signs; while it is rotated, both. */
  readonly authToken: string | readonly string[]
  /**
   * The address of the handler as Twilio calls it, without a slash at the end: `/sms`, `/status`, `/call` and `/voice`
   * are behind it. Its scheme, host and port are signed, so an address that a proxy has rewritten is invalid.
   */
  readonly url: string
  /**
   * Answers requests about phone calls with TwiML, at `/voice`: the endpoint of `attachTwilioVoice` of
   * `@colloquy/voice-gateway/twilio` (TW22).
   *
   * @default that path is 404
   */
  readonly voice?: {
    /** @param request the posted form, and the address as Twilio called it, with its query */
    answer(request: { readonly form: URLSearchParams; readonly address: string }): Promise<string>
  }
}

/** The most that a callback may have, bytes. */
const MOST_BYTES = 65_536

/** An answer without a message in it: the agent's come over the REST API. */
const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'

const NOTHING = 'There is nothing at that path.'

const twiml = (document = EMPTY_TWIML): Response =>
  new Response(document, { headers: { 'content-type': 'text/xml; charset=utf-8' } })

const plain = (status: number, message: string): Response =>
  new Response(`${message}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })

/** The states of a text by Twilio's status (TW12). */
const STATUS = {
  ...({ accepted: 'sent', scheduled: 'sent', queued: 'sent', sending: 'sent', sent: 'sent' } as const),
  ...({ delivered: 'delivered', read: 'delivered' } as const),
  ...({ undelivered: 'failed', failed: 'failed', canceled: 'failed' } as const),
} as const

const isStatus = (name: string): name is keyof typeof STATUS => Object.hasOwn(STATUS, name)

/** The body, unless it is too long. */
async function bodyOf(request: Request): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the keyword that Twilio's own opt-out handling found, in whatever language; null for none (TW12). */
function optOutType(form: URLSearchParams): TextKeyword | null {
  const type = form.get('OptOutType')?.toUpperCase()
  return type === 'STOP' || type === 'START' || type === 'HELP' ? type : null
}

/** Returns the words of a message, and the addresses of its media. A keyword stands alone, with a picture too. */
function wordsOf(form: URLSearchParams): string {
  const words = form.get('Body') ?? ''
  if (keywordOf(words) !== null) return words
  const count = Math.min(Number(form.get('NumMedia') ?? '0') || 0, 10)
  const media = Array.from({ length: count }, (_, index) => form.get(`MediaUrl${index}`) ?? '')
  return [words, ...media].filter(line => line !== '').join('\n')
}

/**
 * Answers what Twilio posts: `…/sms` for texts of users, `…/status` for how texts stand, `…/call` for how calls do,
 * `…/voice` for calls that come in. What Twilio has not signed is 403 (TW10 to TW14, TW22).
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createTwilioHandler(options: TwilioHandlerOptions): (request: Request) => Promise<Response> {
  refuseUnknown('createTwilioHandler', options, ['platform', 'authToken', 'url', 'voice'])
  const { platform, authToken, url, voice } = options
  const tokens = typeof authToken === 'string' ? [authToken] : authToken
  if (tokens.length === 0 || tokens.includes('')) throw new TypeError('authToken must not be empty.')

  async function received(form: URLSearchParams): Promise<Response> {
    const isRcs = (form.get('From') ?? '').startsWith('rcs:')
    const service = form.get('MessagingServiceSid')
    await platform.texts.received({
      id: form.get('MessageSid') ?? '',
      from: (form.get('From') ?? '').replace(/^rcs:/, ''),
      to: (form.get('To') ?? '').replace(/^rcs:/, ''),
      text: wordsOf(form),
      keyword: optOutType(form),
      channel: isRcs ? 'RCS' : 'SMS',
      ...(service === null || service === '' ? {} : { service }),
    })
    return twiml()
  }

  async function told(form: URLSearchParams, id: string): Promise<Response> {
    const status = form.get('MessageStatus') ?? ''
    if (isStatus(status))
      await platform.texts.status({ id, carrierId: form.get('MessageSid') ?? '', status: STATUS[status] })
    return new Response(null, { status: 204 })
  }

  async function called(form: URLSearchParams, id: string): Promise<Response> {
    const standing = standingOf(form.get('CallStatus') ?? '')
    if (standing?.type === 'ringing') await platform.calls.ringing({ id })
    else if (standing?.type === 'answered') await platform.calls.answered({ id })
    else if (standing?.type === 'ended') await platform.calls.ended({ id, answered: standing.answered })
    else if (standing?.type === 'failed') await platform.calls.failed({ id, reason: standing.reason })
    return new Response(null, { status: 204 })
  }

  async function asked(form: URLSearchParams, _: string, address: string): Promise<Response> {
    return voice === undefined ? plain(404, NOTHING) : twiml(await voice.answer({ form, address }))
  }

  const paths = {
    sms: received,
    status: told,
    call: called,
    voice: asked,
  } as const satisfies Readonly<
    Record<string, (form: URLSearchParams, id: string, address: string) => Promise<Response>>
  >
  const isPath = (name: string): name is keyof typeof paths => Object.hasOwn(paths, name)

  return async request => {
    const { pathname, search, searchParams } = new URL(request.url)
    const call = pathname.slice(pathname.lastIndexOf('/') + 1)
    if (!isPath(call)) return plain(404, NOTHING)
    if (request.method !== 'POST') return plain(405, 'Only POST is answered.')
    const body = await bodyOf(request)
    if (body === null) return plain(413, `A callback has at most ${MOST_BYTES} bytes.`)
    const form = new URLSearchParams(body)
    const address = `${url}/${call}${search}`
    const signature = request.headers.get('x-twilio-signature') ?? ''
    if (!isSignedBy(tokens, signature, { url: address, form }))
      return plain(403, 'The signature is missing or wrong.')
    try {
      return await paths[call](form, searchParams.get('id') ?? '', address)
    } catch (error) {
      if (isPlatformError(error) && error.status < 500) return plain(error.status, error.message)
      platform.settings.onError(error, 'twilio')
      return plain(500, 'Something went wrong.')
    }
  }
}
