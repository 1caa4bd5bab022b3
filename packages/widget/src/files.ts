import { fileURLToPath } from 'node:url'

/**
 * The folder of the files for `<script src>`, for whatever serves files: `colloquy-widget.js`, and what it loads from
 * beside itself.
 */
export const widgetFolder: string = fileURLToPath(new URL('../dist/browser', import.meta.url))

/**
 * Returns a `Content-Security-Policy` for hosts that serve `colloquy-frame.html`. With it, browsers show the frame only
 * in pages of these hosts and their subdomains. The server refuses other pages too (WI28).
 *
 * @param hosts hosts of the connector, as listed in `access.connectors`
 */
export const framePolicy = (hosts: readonly string[]): string =>
  ['frame-ancestors', ...(hosts.length === 0 ? ["'none'"] : hosts.flatMap(sourcesOf))].join(' ')

/** A host with brackets or digits alone has no subdomains. */
const sourcesOf = (host: string): readonly string[] =>
  /^[\d.]+$|^\[/.test(host) ? [`${host}:*`] : [`${host}:*`, `*.${host}:*`]
