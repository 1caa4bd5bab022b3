import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import type { Visitor } from '@colloquy/test-support/visitor'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import type { HttpResponse } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { createMemoryFiles, openSocketPair } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const sent = z.object({ file_id: z.string(), name: z.string(), content_type: z.string(), size: z.number() })
const address = z.object({ url: z.string(), expires_at: z.string() })

/** The body of an answer, whole. */
export async function bytesOf({ body, chunks }: HttpResponse): Promise<Uint8Array> {
  const parts: Uint8Array[] = body === null ? [] : [new TextEncoder().encode(body)]
  if (chunks !== null)
    for await (const chunk of chunks)
      parts.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  return Uint8Array.from(parts.flatMap(part => [...part]))
}

/** The JSON of an answer. */
export const jsonOf = async (answer: HttpResponse): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await bytesOf(answer)))

/** A platform whose visitors and live agents send files, and what they do over HTTP. */
export async function createFileBench(options: Partial<PlatformOptions> = {}, hasPort = true) {
  const bench = createDeskBench()
  const files = createMemoryFiles()
  const platform = bench.start({ ...(hasPort ? { files } : {}), ...options })
  onTestFinished(() => platform.close())
  const dispatcher = createDispatcher(platform, routes)
  const ask = (
    line: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<HttpResponse> => dispatcher.handle(request(line, { headers, body }))

  /** A visitor's client that sends files. */
  function clientOf({ accessToken, id }: Visitor) {
    const headers = { authorization: `Bearer ${accessToken}` }
    const upload = (bytes: Uint8Array, type = 'image/png', name = 'lamp.png', more = {}) =>
      ask(
        `POST /api/v1/sessions/${id}/files?name=${encodeURIComponent(name)}`,
        { ...headers, 'content-type': type, ...more },
        bytes,
      )
    return {
      headers,
      upload,
      async uploaded(...given: Parameters<typeof upload>) {
        const answer = await upload(...given)
        if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`)
        return sent.parse(await jsonOf(answer))
      },
      addressOf: (fileId: string) => ask(`GET /api/v1/sessions/${id}/files/${fileId}`, headers),
    }
  }

  /** Reads an address that an answer has. */
  async function open(answer: HttpResponse) {
    const { url, expires_at: expiresAt } = address.parse(await jsonOf(answer))
    return { url, expiresAt, read: (headers = {}) => ask(`GET ${url}`, headers) }
  }

  return { ...bench, platform, files, ask, clientOf, open, handoffOf, openSocketPair }
}
