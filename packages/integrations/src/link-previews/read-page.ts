import type { IncomingMessage } from 'node:http'
import type { Reach } from '../outbound-http/reach.ts'
import { textOf } from './page-text.ts'

/** A page as it was read. */
export interface Page {
  /** The URL after all redirects. */
  readonly url: string
  readonly html: string
}

/** Redirects that are followed, at most. */
const REDIRECTS = 3

/** More of a page is not read: its head comes first. */
const PAGE_BYTES = 262_144

const HEADERS = {
  accept: 'text/html,application/xhtml+xml',
  'accept-encoding': 'identity',
  'user-agent': 'Colloquy-LinkPreviews',
}

/** Reads a body up to the bound, and closes the connection there. */
async function bytesOf(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let read = 0
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(chunk)
    read += chunk.length
    if (read >= PAGE_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, PAGE_BYTES)
}

const answerOf = (reach: Reach, url: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = reach.start(new URL(url), { method: 'GET', headers: HEADERS, signal })
    request.once('response', resolve)
    request.on('error', reject)
    request.end()
  })

/**
 * Reads a page of HTML, over at most three redirects; each address is checked like the first. Null for whatever else
 * is there.
 *
 * @throws when an address cannot be reached, or the signal aborts
 */
export async function readPage(reach: Reach, address: string, signal: AbortSignal): Promise<Page | null> {
  let url = address
  for (let left = REDIRECTS; left >= 0; left -= 1) {
    if (reach.objection(url) !== null) return null
    const response = await answerOf(reach, url, signal)
    try {
      const { statusCode = 0, headers } = response
      const { location, 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
      if (statusCode >= 300 && statusCode < 400 && location !== undefined && URL.canParse(location, url)) {
        url = new URL(location, url).href
        continue
      }
      const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
      if (statusCode !== 200 || !isPage || encoding !== 'identity') return null
      return { url, html: textOf(await bytesOf(response), type) }
    } finally {
      response.destroy()
    }
  }
  return null
}
