import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { textEntry } from '../../scripts/text-entry.ts'
import { sourceConditions } from '../../scripts/workspace-packages.ts'
import { createHesitant, startMessagingHost } from './messaging-host.ts'

/** A browser may run the page's own script, and talk to its own server: nothing else. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:"

const require = createRequire(import.meta.url)

/** React 18, where a page that imports React is to have that one. */
const REACT_18 = {
  react: dirname(require.resolve('react/package.json')),
  'react-dom': dirname(require.resolve('react-dom/package.json')),
}

/** Script of a page: TypeScript that may import from `folder`. */
interface PageScript {
  readonly source: string
  readonly folder: URL
  /** @default the one of the folder's package */
  readonly react?: 18
  /** Further sources of scripts in the page's policy. @default none */
  readonly scripts?: string
}

/** A script for a page, as one file. */
export async function bundleScript({ folder, react, source }: PageScript): Promise<Uint8Array> {
  const { input, plugin } = textEntry(source, fileURLToPath(folder), 'page.tsx')
  const { output } = await build({
    input,
    plugins: [plugin],
    platform: 'browser',
    resolve: {
      conditionNames: sourceConditions('browser'),
      ...(react === 18 ? { alias: REACT_18 } : {}),
    },
    transform: {
      jsx: { runtime: 'automatic' },
      define: { 'process.env.NODE_ENV': '"development"' },
    },
    write: false,
    output: { format: 'esm', codeSplitting: false },
  })
  return new TextEncoder().encode(output[0].code)
}

/**
 * A host that serves messaging and one page with a script. The connector's token is in the page's address, behind `#`.
 */
export async function startPageHost(script: PageScript) {
  const code = await bundleScript(script)
  const agent = createHesitant()
  const host = await startMessagingHost({
    runtime: agent.runtime,
    pages(request, response) {
      const isScript = request.url === '/page.js'
      response.writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
        'content-security-policy': POLICY.replace("script-src 'self'", `$& ${script.scripts ?? ''}`),
      })
      const html =
        '<!doctype html><link rel="icon" href="data:,"><main></main><script type="module" src="/page.js"></script>'
      response.end(isScript ? code : html)
    },
  })
  return { ...host, ...agent, page: `${host.url}/#${host.token}` }
}
