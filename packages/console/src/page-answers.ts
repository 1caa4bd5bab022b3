import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { HttpRequest, HttpResponse } from '@colloquy/core/transport'
import type { PageFiles } from './page-files.ts'

/**
 * Nothing but the page's own files runs, and it talks to nothing but its own server; agents may have pictures elsewhere
 * (CO3).
 */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: https:"],
  ...[
    "connect-src 'self'",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ],
].join('; ')

/** Headers of every response with a file. */
const OF_PAGES = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
}

/** The name contains the file's hash, so its content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Files that are small already. */
const PACKED: ReadonlySet<string> = new Set(['png', 'woff2'])

/** A file, ready to be sent. */
interface Ready {
  readonly plain: Uint8Array
  readonly zipped: Uint8Array | null
  readonly headers: Readonly<Record<string, string>>
  readonly tag: string
}

function ready(path: string, plain: Uint8Array): Ready {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const kept = path.startsWith('assets/') ? FOR_EVER : 'no-cache'
  const type = TYPES[ending] ?? 'application/octet-stream'
  return {
    plain,
    zipped: PACKED.has(ending) ? null : gzipSync(plain, { level: 9 }),
    headers: { ...OF_PAGES, 'Content-Type': type, 'Cache-Control': kept, ETag: tag },
    tag,
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Reports whether the client accepts gzip with a quality other than 0. */
const takesGzip = (accepted = ''): boolean =>
  accepted
    .toLowerCase()
    .split(',')
    .some(one => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/.test(one))

const isSame = (known: string | undefined, tag: string): boolean =>
  known?.split(',').some(one => one.trim().replace(/^W\//, '') === tag) === true

/** Serves the files of the page. */
export interface PageAnswers {
  /** Returns the file at that path; null for an unknown one. Rejects if the files cannot be read. */
  answer(path: string, request: HttpRequest): Promise<HttpResponse | null>
}

/** @param load asked once for the files; again after it has failed */
export function createPageAnswers(load: () => Promise<PageFiles>): PageAnswers {
  let files: Promise<PageFiles> | null = null
  const made = new Map<string, Ready>()

  function loaded(): Promise<PageFiles> {
    files ??= load().catch((error: unknown) => {
      files = null
      throw error
    })
    return files
  }

  async function fileAt(path: string): Promise<Ready | null> {
    const known = made.get(path)
    if (known !== undefined) return known
    const bytes = (await loaded()).get(path)
    if (bytes === undefined) return null
    const file = ready(path, bytes)
    made.set(path, file)
    return file
  }

  return {
    async answer(path, { headers }) {
      const file = await fileAt(path)
      if (file === null) return null
      if (isSame(headers['if-none-match'], file.tag))
        return { status: 304, headers: file.headers, body: null, chunks: null }
      const zipped = takesGzip(headers['accept-encoding']) ? file.zipped : null
      const bytes = zipped ?? file.plain
      const encoding = zipped === null ? {} : { 'Content-Encoding': 'gzip' }
      const sent = { ...file.headers, ...encoding, 'Content-Length': String(bytes.length) }
      return { status: 200, headers: sent, body: null, chunks: once(bytes) }
    },
  }
}
