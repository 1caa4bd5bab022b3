import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import { BRAND, PAGE_STYLE } from './page-style.ts'

const STYLE = `${PAGE_STYLE}
body { padding: 1.25rem; }
main { max-width: 46rem; margin: 1rem auto 2rem; }
h1 { margin: 1.5rem 0 .75rem; font-size: 1.75rem; }
`

const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of this server</title>`

const DOCUMENTS = `<a href="/openapi.json">OpenAPI 3.1 over HTTP</a> and <a href="/asyncapi.json">AsyncAPI 3.0 over sockets</a>`

/** Page that is shown if Swagger UI is not installed. */
const PLAIN = `<!doctype html>
<html lang="en">
<head>
${HEAD}
<style>${STYLE}</style>
</head>
<body>
<main class="sheet">
${BRAND}
<h1>The API of this server</h1>
<p>Everything that it answers: ${DOCUMENTS}.</p>
<p>To read the first one here, and to try requests, install Swagger UI beside this server and start it again: <code>npm install swagger-ui-dist</code>.</p>
</main>
</body>
</html>
`

const WITH_SWAGGER_UI = `<!doctype html>
<html lang="en">
<head>
${HEAD}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main>
<div class="swagger-ui"><div class="wrapper"><p>${DOCUMENTS}</p></div></div>
<div id="swagger-ui"></div>
</main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true })\n`

/** Files of Swagger UI that the page loads. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

const PLAIN_POLICY = `default-src 'none'; style-src 'sha256-${sha256(STYLE)}'; ${CLOSED}`

/** Nothing inline, and nothing of another server. */
const SWAGGER_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ${CLOSED}`

/** Returns the folder of Swagger UI; null if it is not installed. */
function findSwaggerUi(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  } catch {
    return null
  }
}

interface Shown {
  readonly type: string
  readonly policy: string
  readonly body: string | Buffer
}

const HTML = 'text/html; charset=utf-8'

/** Returns the response for a path; null if the path is not the page's. */
async function shownAt(path: string, folder: string | null): Promise<Shown | null> {
  const name = /^\/docs(?:\/([\w.-]*))?$/.exec(path)?.[1] ?? (path === '/docs' ? '' : null)
  if (name === null) return null
  if (folder === null) return name === '' ? { type: HTML, policy: PLAIN_POLICY, body: PLAIN } : null
  if (name === '') return { type: HTML, policy: SWAGGER_POLICY, body: WITH_SWAGGER_UI }
  if (name === 'start.js')
    return { type: 'text/javascript; charset=utf-8', policy: SWAGGER_POLICY, body: START }
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined
  if (type === undefined) return null
  return { type, policy: SWAGGER_POLICY, body: await readFile(join(folder, name)) }
}

/**
 * The contract to read and to try at `/docs`, with Swagger UI from disk where it is installed; what else is asked
 * for goes on to the listener.
 *
 * @param folder of Swagger UI; null without it
 */
export const withDocsPage =
  <Request extends IncomingMessage>(
    listener: (request: Request, response: ServerResponse) => void,
    folder: string | null = findSwaggerUi(),
  ) =>
  (request: Request, response: ServerResponse): void => {
    const { method, url = '' } = request
    const path = /^[^?]*/.exec(url)?.[0] ?? ''
    if ((method !== 'GET' && method !== 'HEAD') || !path.startsWith('/docs')) {
      listener(request, response)
      return
    }
    shownAt(path, folder).then(
      shown => {
        if (shown === null) return listener(request, response)
        const { type, policy, body } = shown
        const length = Buffer.byteLength(body)
        const own = { 'Content-Type': type, 'Content-Length': length, 'Content-Security-Policy': policy }
        response.writeHead(200, { ...RESPONSE_HEADERS, ...own }).end(method === 'HEAD' ? undefined : body)
      },
      // A file that was there when the server started is gone.
      () => response.writeHead(404, RESPONSE_HEADERS).end(),
    )
  }
