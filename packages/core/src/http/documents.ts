import * as z from 'zod'
import { type Brand, brandedDuration, brandedVoice } from '../domain/brand.ts'
import type { Family } from '../domain/family.ts'
import { PlatformError } from '../errors.ts'
import { isLoopback } from './forwarded.ts'
import type { HttpRequest, HttpResponse } from './route.ts'

/** The parts of a request on which a response with a document depends. */
export type DocumentRequest = Pick<
  HttpRequest,
  'method' | 'path' | 'headers' | 'secure' | 'remoteAddress' | 'basePath'
>

/** The documents of the contract, as the platform serves them beside its routes (HT61). */
export interface Documents {
  /** Reports whether a path is that of a document. */
  has(path: string): boolean
  /** Returns the response with a document. Null for any other path. @throws METHOD_NOT_ALLOWED */
  answer(request: DocumentRequest): Promise<HttpResponse | null>
}

const operation = z.looseObject({ tags: z.array(z.string()) })

const openApi = z.looseObject({
  servers: z.unknown(),
  tags: z.array(z.looseObject({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
})

const asyncApi = z.looseObject({ servers: z.unknown() })

/** Loaded when they are first asked for: few processes ever are, and they are larger than all that answers requests. */
const LOAD = {
  openapi: async (): Promise<unknown> =>
    (await import('../../openapi.json', { with: { type: 'json' } })).default,
  asyncapi: async (): Promise<unknown> =>
    (await import('../../asyncapi.json', { with: { type: 'json' } })).default,
}

/** Returns the document without `servers`, and with the operations of those families alone. */
function servedOpenApi(document: unknown, families: readonly string[] | undefined): object {
  const { servers: _, tags, paths, ...rest } = openApi.parse(document)
  if (families === undefined) return { ...rest, tags, paths }
  const isServed = (names: readonly string[]): boolean => names.some(name => families.includes(name))
  const served = Object.entries(paths).flatMap(([path, item]) => {
    const own = Object.entries(item).filter(([, { tags: names }]) => isServed(names))
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)] as const]
  })
  return { ...rest, tags: tags.filter(({ name }) => isServed([name])), paths: Object.fromEntries(served) }
}

function servedAsyncApi(document: unknown): object {
  const { servers: _, ...rest } = asyncApi.parse(document)
  return rest
}

/** The field in a document, with what it holds. */
const SNAKE_DURATION = /"(ai_duration)":("(?:[^"\\]|\\.)*"|-?[0-9.]+|null|\{[^{}]*\})/g
const CAMEL_DURATION = /"(aiDuration)":("(?:[^"\\]|\\.)*"|-?[0-9.]+|null|\{[^{}]*\})/g

/**
 * Returns the text of a document with the words of the host's brand: in names of events, headers and fields. The
 * brand's field is added beside `ai_duration` and `aiDuration`.
 */
function brandedDocument(document: object, brand: Brand): string {
  const [events, headers] = [brand.events.toUpperCase(), brand.headers]
  const beside = (text: string, field: RegExp, name: string): string =>
    text.replaceAll(field, (whole, own: string, value: string) =>
      own === name ? whole : `${whole},"${name}":${value}`,
    )
  const text = JSON.stringify(document)
    .replaceAll(/(?<![A-Za-z])AI_AGENT/g, `${events}_AGENT`)
    .replaceAll(/X-AI-/g, `X-${headers}-`)
    .replaceAll(/x-ai-/g, `x-${headers.toLowerCase()}-`)
    .replaceAll(/\bisAIVoice\b/g, brandedVoice(brand))
    .replaceAll(/`AI`(?= in the names of events)/g, `\`${events}\``)
    .replaceAll(/`ai`(?= is the brand)/g, `\`${headers.toLowerCase()}\``)
  const snake = beside(text, SNAKE_DURATION, brandedDuration(brand, '_duration'))
  return beside(snake, CAMEL_DURATION, brandedDuration(brand, 'Duration'))
}

/** Returns a fingerprint of a text. Not for secrets: two texts that differ have the same one once in 2^64. */
function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b) + one
  }
  return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}`
}

const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/

/** Paths of documents, with the servers that each declares. */
const SERVERS: Readonly<Record<string, (request: DocumentRequest) => unknown>> = {
  '/openapi.json': ({ basePath = '' }) => [{ url: basePath === '' ? '/' : basePath }],
  '/asyncapi.json': ({ basePath = '', headers: { host: given = '' }, secure, remoteAddress }) => {
    // Loopback counts as secure, and is nearly always plain text.
    const isOverTls = secure && !isLoopback(remoteAddress)
    const host = HOST.test(given) ? given : 'localhost'
    const pathname = basePath === '' ? {} : { pathname: basePath }
    return {
      here: { host, protocol: isOverTls ? 'wss' : 'ws' },
      http: { host, protocol: isOverTls ? 'https' : 'http', ...pathname },
    }
  },
}

/** A document as JSON without its first brace, and its hash. */
interface Text {
  readonly rest: string
  readonly mark: string
}

function textOf(document: object, brand: Brand): Text {
  const rest = brandedDocument(document, brand).slice(1)
  return { rest, mark: fingerprint(rest) }
}

/** Anyone may read them, on any page; caches keep them, and ask whether they are still the same. */
const OPEN = { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' }

const ANY_PAGE = { 'Access-Control-Allow-Origin': '*' }

/** @param families those that are served; undefined for all */
export function createDocuments(
  families: readonly Family[] | undefined,
  crossOrigin: boolean,
  brand: Brand,
): Documents {
  const texts = new Map<string, Promise<Text>>()
  const make: Readonly<Record<string, () => Promise<Text>>> = {
    '/openapi.json': async () => textOf(servedOpenApi(await LOAD.openapi(), families), brand),
    '/asyncapi.json': async () => textOf(servedAsyncApi(await LOAD.asyncapi()), brand),
  }

  function textAt(path: string): Promise<Text> | null {
    const known = texts.get(path)
    if (known !== undefined) return known
    const made = make[path]?.()
    if (made === undefined) return null
    texts.set(path, made)
    made.catch(() => texts.delete(path))
    return made
  }

  return {
    has: path => Object.hasOwn(SERVERS, path),
    async answer(request) {
      const { path, method, headers } = request
      if (!Object.hasOwn(SERVERS, path)) return null
      if (method !== 'GET' && method !== 'HEAD') {
        const message = `The path does not answer ${method}. Allowed: GET, HEAD.`
        throw new PlatformError('METHOD_NOT_ALLOWED', message, { allow: ['GET', 'HEAD'] })
      }
      const text = await textAt(path)
      if (text === null) return null
      const servers = JSON.stringify(SERVERS[path]?.(request))
      const tag = `"${text.mark}-${fingerprint(servers)}"`
      const told = { ...OPEN, ...(crossOrigin ? ANY_PAGE : {}), ETag: tag }
      const same = headers['if-none-match']?.split(',').some(one => one.trim().replace(/^W\//, '') === tag)
      if (same === true) return { status: 304, headers: told, body: null, chunks: null }
      return { status: 200, headers: told, body: `{"servers":${servers},${text.rest}`, chunks: null }
    },
  }
}
