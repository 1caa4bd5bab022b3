import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { wavOf } from '@colloquy/core'
import { APICallError } from 'ai'
import { MockSpeechModelV4 } from 'ai/test'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const asked = z.object({
  input: z.string(),
  voice: z.string().optional(),
  response_format: z.string().optional(),
  instructions: z.string().optional(),
  speed: z.number().optional(),
  language: z.string().optional(),
})

/** What the endpoint does with the next request. */
export type SpeechFault = 'fails' | 'hangs' | 'refuses' | 'speaks MP3'

/** An endpoint over real sockets, in the words of public ones (`POST /v1/audio/speech`), and a model that asks it. */
export async function startSpeech() {
  const faults: SpeechFault[] = []
  const requests: z.output<typeof asked>[] = []
  let broken = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push(asked.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    const fault = faults.shift()
    if (fault === 'hangs') return
    if (fault === 'fails' || fault === 'refuses') {
      response.writeHead(fault === 'fails' ? 400 : 401).end('{"error":{"message":"wrong key sk-secret"}}')
      return
    }
    if (fault === 'speaks MP3') {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.from([0xff, 0xfb, 0x90, 0x64]))
      return
    }
    const text = requests.at(-1)?.input ?? ''
    response.writeHead(200, { 'content-type': 'audio/wav' })
    response.end(wavOf(new Int16Array(80 * text.length), 8_000))
  }

  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) broken += 1
    })
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/audio/speech`

  const model = new MockSpeechModelV4({
    provider: 'local',
    modelId: 'speech-1',
    async doGenerate({ abortSignal, instructions, language, outputFormat, speed, text, voice }) {
      const values = { input: text, voice, response_format: outputFormat, instructions, speed, language }
      const response = await fetch(url, {
        ...{ method: 'POST', body: JSON.stringify(values), signal: abortSignal ?? null },
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret' },
      })
      if (!response.ok)
        throw new APICallError({
          ...{ message: await response.text(), url, requestBodyValues: values },
          ...{ statusCode: response.status, isRetryable: false },
        })
      return {
        audio: new Uint8Array(await response.arrayBuffer()),
        warnings: [],
        response: { timestamp: new Date(), modelId: 'speech-1' },
      }
    },
  })
  return {
    model,
    requests,
    /** How many requests were given up by who had asked. */
    broken: () => broken,
    fault: (fault: SpeechFault) => void faults.push(fault),
  }
}
