import { createHash } from 'node:crypto'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import type { Listener } from './hosts.ts'
import { WIDGET_SCRIPT } from './widget-files.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #16324a; --sea: #1d5a7a; --sand: #f6efe3; --paper: #fff; --line: #e3dccf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eef2; --sea: #7fb6d3; --sand: #10202c; --paper: #172b39; --line: #2b4252; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; background: var(--sand); color: var(--ink); }
header { background: linear-gradient(170deg, #f3b56b 0, #e8793c 34%, #2a6f8f 34.3%, #16415c 100%); color: #fff; }
header div, main, footer { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
header div { padding: 4.5rem 1.25rem 4rem; }
h1 { margin: 0; font: 600 clamp(2rem, 6vw, 3.5rem)/1.1 Georgia, serif; text-shadow: 0 1px 12px rgb(0 0 0 / .45); }
header p { margin: .75rem 0 0; max-width: 32rem; font-size: 1.125rem; text-shadow: 0 1px 8px rgb(0 0 0 / .6); }
h2 { margin: 0 0 .375rem; font: 600 1.25rem/1.3 Georgia, serif; }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
li { padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--paper); }
li p { margin: 0; }
a { color: var(--sea); }
code { font: .925em/1.5 ui-monospace, monospace; }
footer { font-size: .9375rem; }
`

const page = (token: string, brand: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>Harbour Hotel</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><div>
<h1>Harbour Hotel</h1>
<p>Quiet rooms above the old harbour of Port Ellery. The front desk answers at any hour: the button in the corner.</p>
</div></header>
<main>
<ul>
<li><h2>Arriving</h2><p>When is check-in? Where can I park? What if I land at six in the morning? Ask.</p></li>
<li><h2>Staying</h2><p>Breakfast, dogs, bicycles, a late check-out: the agent knows what the hotel allows.</p></li>
<li><h2>Arranging</h2><p>Say that you want to pay the deposit, or to speak to a person, and see what happens.</p></li>
</ul>
</main>
<footer>
<p>A page of the standalone server, with the chat on it as your own pages may have it. The agent is <code>PROJECT-DEMO</code>. <a href="/welcome">What else runs here</a></p>
</footer>
<script src="${WIDGET_SCRIPT}" data-connector-token="${token}" data-brand="${brand}" data-title="Front desk"></script>
</body>
</html>
`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** The page's own style, and the widget: nothing inline besides, and nothing of another server. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'sha256-${sha256(STYLE)}'; img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Options of the page's chat. */
interface DemoPage {
  readonly token: string
  readonly brand: string
}

/**
 * A guest's page at `/demo`, with the widget on it that talks to the demo agent; what else is asked for goes on
 * to the listener.
 *
 * @param demo the token of a connector for pages of this machine, and the word of the brand in names of events
 */
export function withDemoPage(listener: Listener, { token, brand }: DemoPage): Listener {
  const html = page(token, brand)
  const own = {
    ...RESPONSE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Content-Security-Policy': POLICY,
  }
  return (request, response) => {
    const { method, url = '' } = request
    const isAsked = (method === 'GET' || method === 'HEAD') && /^\/demo\/?(?:\?|$)/.test(url)
    if (isAsked) response.writeHead(200, own).end(method === 'HEAD' ? undefined : html)
    else listener(request, response)
  }
}
