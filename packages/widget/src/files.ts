import { fileURLToPath } from 'node:url'

/**
 * The folder of the files for `<script src>`, for whatever serves files: `colloquy-widget.js`, and what it loads from
 * beside itself.
 */
export const widgetFolder: string = fileURLToPath(new URL('../dist/browser', import.meta.url))

/**
 * What a host that serves `colloquy-frame.html` may send with it as `Content-Security-Policy`: browsers then show the
 * frame only in pages of these hosts, and of their subdomains. The server admits no other page either (WI38).
 *
 * @param hosts those of the connector, as `access.connectors` lists them
 */
export const framePolicy = (hosts: readonly string[]): string =>
  ['frame-ancestors', ...(hosts.length === 0 ? ["'none'"] : hosts.flatMap(sourcesOf))].join(' ')

/** A host with brackets or digits alone has no subdomains. */
const sourcesOf = (host: string): readonly string[] =>
  /^[\d.]+$|^\[/.test(host) ? [`${host}:*`] : [`${host}:*`, `*.${host}:*`]
