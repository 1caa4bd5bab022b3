import { createRouteTable, type RouteMatch } from '../../packages/core/src/http/route-table.ts'
import { routes } from '../../packages/core/src/http/routes.ts'
import { isAnsweredHere } from './checked-dispatcher.ts'
import { answerFault } from './declared-answers.ts'

/**
 * Checks the answers that tests fetch from other processes. Each answer of a route of the platform is compared with its
 * declaration, wherever the server mounts it.
 */

const table = createRouteTable(routes)

const INSTALLED = Symbol.for('colloquy.checked-fetch')

/** Answers whose bodies are being read. */
const reading = new Set<Promise<void>>()
const faults = new Set<string>()
let checked = 0

/** The route of a path, whatever is before it. */
function matchOf(method: string, path: string): RouteMatch | null {
  for (let start = 0; start !== -1; start = path.indexOf('/', start + 1)) {
    const match = table.match(method, path.slice(start))
    if (match?.type === 'route') return match
  }
  return null
}

async function check(match: RouteMatch, method: string, url: string, response: Response): Promise<void> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  let body: string | null = null
  try {
    body = isJson ? await response.text() : null
  } catch {
    // The test or the server has cut it off.
    return
  }
  checked++
  const headers = Object.fromEntries(response.headers)
  const fault = answerFault(match, method, {
    status: response.status,
    headers,
    body: body === '' ? null : body,
  })
  if (fault !== null) faults.add(`${method} ${url} ${response.status}: ${fault}`)
}

/** From now on what this process fetches is checked. */
export function installCheckedFetch(): void {
  if (Reflect.has(globalThis, INSTALLED)) return
  Reflect.set(globalThis, INSTALLED, true)
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init)
    // Reading the global `Request` would keep hosts' frameworks from replacing it unnoticed.
    const request = typeof input === 'object' && 'method' in input ? input : null
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    const url = request?.url ?? String(input)
    const type = response.headers.get('content-type')
    // A copy of what streams would hold the test up.
    if (type !== null && !type.startsWith('application/json')) return response
    const match = matchOf(method, new URL(url).pathname)
    const correlationId = response.headers.get('x-correlation-id')
    // Another server may have such a path: ours say which request they answer. What this process answers is checked there.
    if (match === null || correlationId === null || isAnsweredHere(correlationId)) return response
    const work = check(match, method, url, response.clone()).finally(() => reading.delete(work))
    reading.add(work)
    return response
  }
}

/** Returns the number of checked answers, and their faults. Resets both. */
export async function fetchedAnswers(): Promise<{
  readonly checked: number
  readonly faults: readonly string[]
}> {
  await Promise.all(reading)
  const found = { checked, faults: [...faults] }
  faults.clear()
  checked = 0
  return found
}
