import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallFault, CarrierFault } from '@colloquy/core/testing/contracts'

export const ACCOUNT_SID = `AC${'0'.repeat(32)}`
export const AUTH_TOKEN = 'twilio-token-for-tests'

/** The agent's number. */
export const OURS = '+12025550100'

/** A message as the server keeps it. */
export interface KeptMessage {
  readonly sid: string
  readonly to: string
  readonly from: string | null
  readonly messaging_service_sid: string | null
  readonly body: string
  readonly direction: 'outbound-api'
  readonly date_created: string
  readonly callback: string | null
}

/** A call as the server keeps it. */
export interface KeptCall {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly url: string
  readonly callback: string
  readonly events: readonly string[]
  status: string
  /** With which the call goes on. */
  twiml?: string
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The parts of Twilio's REST API that the carrier uses, as its documentation describes them: messages are made by a form,
 * listed newest first by their numbers in pages with `next_page_uri`, times are RFC 2822 to the second, errors have `code`
 * and `message`. Calls are made by a form, and ended by one to their own address, which says how they
 * stand.
 */
export async function startTwilio() {
  const messages: KeptMessage[] = []
  const faults: (CarrierFault | 'wrong credentials')[] = []
  const path = `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`
  const expected = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`
  const calls: KeptCall[] = []
  const callFaults: (CallFault | 'is late')[] = []
  const questionFaults: ('hangs' | 'is away')[] = []
  let late = (): void => undefined
  let requests = 0

  function create(form: URLSearchParams): KeptMessage {
    const message: KeptMessage = {
      sid: `SM${String(messages.length + 1).padStart(32, '0')}`,
      to: form.get('To') ?? '',
      from: form.get('From'),
      messaging_service_sid: form.get('MessagingServiceSid'),
      body: form.get('Body') ?? '',
      direction: 'outbound-api',
      date_created: new Date().toUTCString().replace('GMT', '+0000'),
      callback: form.get('StatusCallback'),
    }
    messages.unshift(message)
    return message
  }

  function createCall(form: URLSearchParams): KeptCall {
    const call: KeptCall = {
      sid: `CA${String(calls.length + 1).padStart(32, '0')}`,
      ...{ to: form.get('To') ?? '', from: form.get('From') ?? '', url: form.get('Url') ?? '' },
      ...{ callback: form.get('StatusCallback') ?? '', events: form.getAll('StatusCallbackEvent') },
      status: 'queued',
    }
    calls.push(call)
    return call
  }

  function list(query: URLSearchParams) {
    const size = Number(query.get('PageSize') ?? '50')
    const page = Number(query.get('Page') ?? '0')
    const fit = messages.filter(
      ({ from, to }) =>
        to === (query.get('To') ?? to) && (query.get('From') === null || from === query.get('From')),
    )
    const next = new URLSearchParams(query)
    next.set('Page', String(page + 1))
    return {
      messages: fit.slice(page * size, (page + 1) * size),
      next_page_uri: fit.length > (page + 1) * size ? `${path}?${next}` : null,
    }
  }

  const server = createServer(async (request, response) => {
    requests += 1
    const url = new URL(request.url ?? '/', 'http://local')
    const answer = (status: number, json: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
    const text = await bodyOf(request)
    if (request.headers.authorization !== expected)
      return answer(401, { code: 20003, message: 'Authenticate', status: 401 })
    const form = new URLSearchParams(text)
    const [, sid] = /\/Calls\/(\w+)\.json$/.exec(url.pathname) ?? []
    const call = calls.find(one => one.sid === sid)
    if (sid !== undefined && request.method === 'GET') {
      const fault = questionFaults.shift()
      if (fault === 'hangs') return
      if (fault === 'is away')
        return answer(503, { code: 20503, message: 'Service unavailable', status: 503 })
      if (call !== undefined) return answer(200, call)
    }
    if (call !== undefined && request.method === 'POST') {
      call.status = form.get('Status') ?? call.status
      call.twiml = form.get('Twiml') ?? call.twiml ?? ''
      return answer(200, call)
    }
    if (url.pathname === path.replace('Messages', 'Calls')) {
      const fault = callFaults.shift()
      if (fault === 'hangs') return
      if (fault === 'refuses')
        return answer(400, { code: 21217, message: 'Phone number is not valid', status: 400 })
      if (form.get('From') === null)
        return answer(400, { code: 21213, message: 'From is required', status: 400 })
      if (fault === 'is late') {
        late = () => answer(201, createCall(form))
        return
      }
      return answer(201, createCall(form))
    }
    if (url.pathname !== path) return answer(404, { code: 20404, message: 'Not found', status: 404 })
    if (request.method === 'GET') return answer(200, list(url.searchParams))
    const fault = faults.shift()
    switch (fault) {
      case 'loses the request':
        return request.socket.destroy()
      case 'loses the answer':
        create(new URLSearchParams(text))
        return request.socket.destroy()
      case 'refuses':
        return answer(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 })
      case 'is busy':
        return answer(429, { code: 20429, message: 'Too Many Requests', status: 429 }, { 'retry-after': '2' })
      default:
        return answer(201, { ...create(new URLSearchParams(text)), status: 'queued' })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = address(server.address())
  return {
    calls,
    messages,
    callFault: (fault: CallFault | 'is late') => void callFaults.push(fault),
    questionFault: (fault: 'hangs' | 'is away') => void questionFaults.push(fault),
    /** Answers the call that is late, which is made now. */
    answerLate: () => late(),
    baseUrl: `http://127.0.0.1:${port}`,
    fault: (fault: CarrierFault) => void faults.push(fault),
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function address(found: AddressInfo | string | null): AddressInfo {
  if (found === null || typeof found === 'string') throw new Error('The server does not listen.')
  return found
}
