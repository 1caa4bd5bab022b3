import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'

/** The largest difference of the sender's clock, seconds. Older requests are refused as replays. */
const TOLERANCE = 300

/**
 * True when a request was signed with the secret, and not long ago. `body` is the text as it came, before any parsing.
 */
function isGenuine(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const given = String(signatures)
    .split(' ')
    .map(signature => Buffer.from(signature.replace('v1,', ''), 'base64'))
  return (
    age <= TOLERANCE && given.some(one => one.length === expected.length && timingSafeEqual(one, expected))
  )
}

/** Answers webhooks; `take` gets each event once. Keep the ids where they outlive the process. */
export function createReceiver(secret: string, take: (event: unknown) => void): Server {
  const taken = new Set<string>()

  async function answer(request: IncomingMessage): Promise<number> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (!isGenuine(secret, request.headers, body)) return 400
    const id = String(request.headers['webhook-id'])
    if (!taken.has(id)) take(JSON.parse(body))
    taken.add(id)
    return 204
  }

  return createServer((request, response) => {
    answer(request).then(
      status => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    )
  })
}
