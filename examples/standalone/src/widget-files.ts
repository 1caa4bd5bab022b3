import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Platform } from '@colloquy/core'
import { framePolicy, widgetFolder } from '@colloquy/widget/files'
import type { Listener } from './hosts.ts'

const WIDGET = '/widget/'

/** Path of the widget's script on this server. */
export const WIDGET_SCRIPT = `${WIDGET}colloquy-widget.js`

/** The page that puts the chat into a frame. */
const WIDGET_FRAME = `${WIDGET}colloquy-frame.html`

/** Pages of any site load the files, and frame the one page that is made for it (SS134). */
const FOR_ALL = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
}

/**
 * Returns the caching of a file. A file named by its hash never changes. All others are requested again after five
 * minutes.
 */
const cacheOf = (path: string): string =>
  /^colloquy-[0-9a-f]{12}/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300'

/** The files of the widget by path: those of the package, or in a checkout that was not built, made from its sources. */
async function readWidget(): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = await readdir(widgetFolder, { recursive: true, withFileTypes: true }).catch(() => null)
  if (names === null) return (await import('../../../scripts/widget-files.ts')).bundleWidget()
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const read = files.map(
    async path => [relative(widgetFolder, path).replaceAll(sep, '/'), await readFile(path)] as const,
  )
  return new Map(await Promise.all(read))
}

interface Ready {
  readonly plain: Uint8Array
  readonly zipped: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

function ready(path: string, plain: Uint8Array): Ready {
  const type = path.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8'
  const headers = { ...FOR_ALL, 'Content-Type': type, 'Cache-Control': cacheOf(path) }
  return { plain, zipped: gzipSync(plain, { level: 9 }), headers }
}

const takesGzip = (accepted: string | string[] | undefined): boolean =>
  String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .some(one => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/.test(one))

/** Returns the policy for the frame of a chat: pages of the named connector may show it (SS134). */
export async function policyOfFrame(platform: Platform, query: string): Promise<object> {
  const token = new URLSearchParams(query).get('token')
  if (token === null) return {}
  const connector = await platform.access.connectorByToken(token)
  return { 'Content-Security-Policy': framePolicy(connector?.hosts ?? []) }
}

/**
 * The widget's files below `/widget/`, for pages anywhere (SS134); what else is asked for goes on to the listener.
 *
 * @param headersOf more headers of the frame's page, by the query with which it is asked for
 */
export function withWidgetFiles(listener: Listener, headersOf: (query: string) => Promise<object>): Listener {
  let files: Promise<ReadonlyMap<string, Ready>> | null = null
  const read = (): Promise<ReadonlyMap<string, Ready>> => {
    files ??= readWidget().then(
      found => new Map([...found].map(([path, bytes]) => [path, ready(path, bytes)] as const)),
    )
    return files
  }
  return (request, response) => {
    const { method, url = '', headers } = request
    const [path = '', query = ''] = url.split('?')
    const isAsked = (method === 'GET' || method === 'HEAD') && path.startsWith(WIDGET)
    if (!isAsked) return listener(request, response)
    const more = path === WIDGET_FRAME ? headersOf(query) : Promise.resolve({})
    Promise.all([read(), more]).then(
      ([found, ownHeaders]) => {
        const file = found.get(path.slice(WIDGET.length))
        if (file === undefined) return listener(request, response)
        const isZipped = takesGzip(headers['accept-encoding'])
        const bytes = isZipped ? file.zipped : file.plain
        const encoding = isZipped ? { 'Content-Encoding': 'gzip' } : {}
        const own = { ...file.headers, ...ownHeaders, ...encoding, 'Content-Length': bytes.length }
        response.writeHead(200, own).end(method === 'HEAD' ? undefined : bytes)
      },
      () => {
        files = null
        response.writeHead(500, FOR_ALL).end()
      },
    )
  }
}
