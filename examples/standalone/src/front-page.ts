import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import { BRAND, PAGE_STYLE } from './page-style.ts'

const STYLE = `${PAGE_STYLE}
body { padding: 1.25rem; }
main { max-width: 46rem; margin: 1rem auto 2rem; }
h1 { margin: 1.5rem 0 .75rem; font-size: 1.75rem; }
h2 { margin: 2.5rem 0 0; padding-top: 1.5rem; border-top: 1px solid var(--line); font-size: 1.25rem; }
dt { margin-top: 1.25rem; font-weight: 600; }
dd { margin: .25rem 0 0; color: var(--quiet); }
ul { margin: .25rem 0 0; padding-left: 1.25rem; }
`

interface Entrance {
  readonly name: string
  readonly opens: string
  readonly addresses: readonly string[]
}

/** Every route is at or below one of these addresses; a test compares them. */
const ENTRANCES: readonly Entrance[] = [
  {
    name: 'Visitors',
    opens:
      'With a connector token, then with the access token that it gets. The last address is a WebSocket.',
    addresses: ['/api/v1/access-token', '/api/v1/sessions', '/api/v1/files', '/ws'],
  },
  {
    name: 'Agents, their tests, voices, debug chat, alerts and webhooks',
    opens: 'With a workspace key.',
    addresses: [
      '/v1/accounts/{account}/agents',
      '/v1/accounts/{account}/voice-library',
      '/v1/agents/{agent}',
      '/v1/webhook-endpoints',
      '/v1/alert-rules',
      '/v1/alerts',
    ],
  },
  {
    name: 'Records of conversations',
    opens: 'With a project key.',
    addresses: ['/v1/{account}/{agent}/conversations', '/v3/{account}/{agent}/conversations'],
  },
  {
    name: 'Turn-based chat',
    opens: 'With a project or workspace key, and a connector token beside it.',
    addresses: ['/v1/{account}/{agent}/chat'],
  },
  {
    name: 'What a conversation left when it was handed off',
    opens: 'With a project or workspace key.',
    addresses: ['/v1/{account}/{agent}/handoff_state'],
  },
  {
    name: 'Texts',
    opens: 'With a project or workspace key, and the id of a telephony connector beside it.',
    addresses: ['/v1/outbound-sms'],
  },
  {
    name: 'Outbound calls, the earlier form',
    opens: 'With a project or workspace key, and the id of a telephony connector beside it.',
    addresses: ['/v1/outbound-calling'],
  },
  {
    name: 'Reserving numbers for callers',
    opens: 'With a project key for one agent.',
    addresses: ['/v1/conversations/dni-reservation'],
  },
  {
    name: 'External events',
    opens: 'With a key for external events.',
    addresses: ['/v1/external-events/webhook'],
  },
  {
    name: 'The desk of the live agents',
    opens: 'With a desk key. The last address is a WebSocket.',
    addresses: [
      '/desk/v1/handoffs',
      '/desk/v1/colleagues',
      '/desk/v1/replies',
      '/desk/v1/queues',
      '/desk/v1/assignments',
      '/desk/v1/figures',
      '/desk/v1/ws',
    ],
  },
  {
    name: 'Operating',
    opens: 'With an operator key.',
    addresses: ['/operator/v1'],
  },
]

const entry = ({ name, opens, addresses }: Entrance): string => `<dt>${name}</dt>
<dd>${opens}
<ul>
${addresses.map(address => `<li><code>${address}</code></li>`).join('\n')}
</ul>
</dd>`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Colloquy runs here</title>
<style>${STYLE}</style>
</head>
<body>
<main class="sheet">
${BRAND}
<h1>Colloquy runs here</h1>
<p>This is the standalone server: conversational agents, the visitors who talk to them, the people who take over, and the record of it all.
A demo agent comes with it, the front desk of a hotel: agent <code>PROJECT-DEMO</code> of the account <code>demo</code>.</p>
<h2>Try it</h2>
<p>In the repository, in a terminal of its own. When this server started for the first time it printed its keys, and the first of these commands with them. No key is shown here.</p>
<dl>
<dt>The console, unless <code>COLLOQUY_CONSOLE</code> is off: agents, conversations, the desk</dt>
<dd><a href="/">Sign in</a> with the operator key, or with the link that each start prints</dd>
<dt>A guest's page with the chat on it, unless <code>COLLOQUY_DEMO_PAGE</code> is off</dt>
<dd><a href="/demo">The Harbour Hotel</a></dd>
<dt>From a new agent to a visitor who is handed to a person</dt>
<dd><code>npm run quickstart -w examples/quickstart</code></dd>
<dt>Chat with the demo agent yourself, without a server</dt>
<dd><code>npm start -w examples/terminal-transport</code></dd>
</dl>
<h2>Addresses</h2>
<p>Below this server's own, for programs: answers are JSON.</p>
<dl>
${ENTRANCES.map(entry).join('\n')}
</dl>
<p>All of it, to read and to try: <a href="/docs">the API of this server</a>.</p>
<h2>Read on</h2>
<p>The documentation is in the repository:</p>
<ul>
<li><code>README.md</code>: what it is, and how to put it into an app of your own</li>
<li><code>docs/guides/standalone-server.md</code>: what this server can be told</li>
<li><code>docs/README.md</code>: all pages</li>
</ul>
</main>
</body>
</html>
`

const HEADERS = {
  ...RESPONSE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(PAGE),
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  Vary: 'Accept',
}

/**
 * Reports whether a client wants the page. A client that names HTML says so itself. Of the others, one that names JSON
 * is a program.
 */
function wantsPage(accept = '*/*'): boolean {
  const ranges = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map(range => {
        const [type = '', ...parameters] = range.split(';').map(part => part.trim())
        return [type, !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))]
      }),
  )
  if (ranges.has('application/json') && !ranges.has('text/html')) return false
  return ranges.get('text/html') ?? ranges.get('text/*') ?? ranges.get('*/*') ?? false
}

const AT_WELCOME = /^\/welcome(\?|$)/
const AT_ROOT_TOO = /^\/(welcome)?(\?|$)/

/**
 * A page for people at `/welcome`, which tells what runs here and never a key; what else is asked for goes on to
 * the listener.
 *
 * @param atRoot whether it is at `/` too, because nothing else is
 */
export const withFrontPage =
  <Request extends IncomingMessage>(
    listener: (request: Request, response: ServerResponse) => void,
    atRoot: boolean,
  ) =>
  (request: Request, response: ServerResponse): void => {
    const { method, url = '', headers } = request
    const asked = (method === 'GET' || method === 'HEAD') && (atRoot ? AT_ROOT_TOO : AT_WELCOME).test(url)
    if (!asked || !wantsPage(headers.accept)) listener(request, response)
    else response.writeHead(200, HEADERS).end(method === 'HEAD' ? undefined : PAGE)
  }
