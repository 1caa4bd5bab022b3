import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** Answer of the fake server to one request. */
export type Answer =
  /** Streams the chunks, then the tool calls; waits for `until` before the last chunk. */
  | {
      readonly type: 'reply'
      readonly chunks?: readonly string[]
      readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
      readonly until?: Promise<unknown>
      readonly finishReason?: string
    }
  | {
      readonly type: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Streams the chunks and then nothing, with the connection left open. */
  | { readonly type: 'hang'; readonly chunks?: readonly string[] }
  /** Streams the chunks and then breaks the connection. */
  | { readonly type: 'reset'; readonly chunks?: readonly string[] }
  /** A body as it stands, with status 200. */
  | { readonly type: 'body'; readonly contentType: string; readonly body: string }

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean(),
  tool_choice: z.unknown().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown().optional(), tool_calls: z.unknown().optional() }),
  ),
})

/** A request as the server got it. */
export interface ReceivedRequest {
  readonly body: z.output<typeof requestSchema>
  readonly authorization: string | undefined
  /** Resolves when the client has closed the connection before the answer was over. */
  readonly gaveUp: Promise<void>
}

/**
 * A server on the machine itself that speaks the OpenAI chat protocol and answers what it was told to, one answer for
 * each request.
 */
export interface FakeOpenAi {
  readonly baseURL: string
  readonly requests: readonly ReceivedRequest[]
  /** Resolves with the request of that number, from 0, when it has come. */
  request(number: number): Promise<ReceivedRequest>
}

const chunkOf = (delta: object, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake-model',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`

const USAGE = `data: ${JSON.stringify({
  id: 'chat-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'fake-model',
  choices: [],
  usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 },
})}\n\ndata: [DONE]\n\n`

const startStream = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

async function answerWith(answer: Answer, response: ServerResponse): Promise<void> {
  switch (answer.type) {
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body ?? JSON.stringify({ error: { message: `Status ${answer.status}` } }))
      return
    case 'body':
      response.writeHead(200, { 'content-type': answer.contentType })
      response.end(answer.body)
      return
    case 'hang':
    case 'reset':
      startStream(response)
      for (const content of answer.chunks ?? []) response.write(chunkOf({ content }))
      if (answer.type === 'reset') response.write(': ', () => response.destroy())
      return
    case 'reply':
      await reply(answer, response)
  }
}

async function reply(answer: Extract<Answer, { type: 'reply' }>, response: ServerResponse): Promise<void> {
  const { chunks = [], calls = [], until } = answer
  startStream(response)
  for (const [at, content] of chunks.entries()) {
    if (at === chunks.length - 1) await until
    response.write(chunkOf({ role: 'assistant', content }))
  }
  for (const [index, call] of calls.entries()) {
    const half = Math.ceil(call.arguments.length / 2)
    const begin = { name: call.name, arguments: call.arguments.slice(0, half) }
    response.write(
      chunkOf({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: begin }] }),
    )
    response.write(chunkOf({ tool_calls: [{ index, function: { arguments: call.arguments.slice(half) } }] }))
  }
  response.write(chunkOf({}, answer.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')))
  response.end(USAGE)
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

/** Starts the server; it is stopped when the test is over. A request beyond the answers gets status 418. */
export async function startFakeOpenAi(answers: readonly Answer[]): Promise<FakeOpenAi> {
  const requests: ReceivedRequest[] = []
  const watching = new Set<() => void>()
  const server = createServer((request, response) => {
    const gaveUp = new Promise<void>(resolve => {
      response.on('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    void bodyOf(request).then(body => {
      requests.push({ body: requestSchema.parse(body), authorization: request.headers.authorization, gaveUp })
      for (const check of watching) check()
      return answerWith(answers[requests.length - 1] ?? { type: 'status', status: 418 }, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    request: number =>
      new Promise(resolve => {
        const check = (): void => {
          const found = requests[number]
          if (found === undefined) return
          watching.delete(check)
          resolve(found)
        }
        watching.add(check)
        check()
      }),
  }
}
