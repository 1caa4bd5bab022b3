import type { IncomingMessage, ServerResponse } from 'node:http'

export const URL_OF_STREAM = 'wss://chat.example/twilio/voice'
/** Of the handler of Twilio's requests. */
export const URL_OF_TWILIO = 'https://chat.example/twilio'
export const TOKEN = 'twilio-token'

/** Answers a request of `node:http` with a handler of the web's requests. */
export async function answerWith(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const headers = new Headers({ 'x-twilio-signature': String(incoming.headers['x-twilio-signature']) })
  const init = { method: incoming.method ?? 'POST', headers, body: Buffer.concat(chunks) }
  const answer = await handle(new Request(`http://inside${incoming.url}`, init))
  outgoing.writeHead(answer.status).end(await answer.text())
}
