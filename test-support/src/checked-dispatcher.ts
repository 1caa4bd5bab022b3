import {
  createDispatcher as create,
  type Dispatcher,
  type GatedOptions,
} from '../../packages/core/src/http/dispatcher.ts'
import type { HttpResponse, Route } from '../../packages/core/src/http/route.ts'
import { createRouteTable } from '../../packages/core/src/http/route-table.ts'
import type { Platform } from '../../packages/core/src/platform.ts'
import { answerFault } from './declared-answers.ts'

/** A request to a dispatcher. */
interface Asked {
  readonly method: string
  readonly path: string
}

/** The first answer of each fault, by route, status and fault. */
const faults = new Map<string, string>()
let checked = 0

/** The correlation ids of the answers since the last test. */
const answered = new Set<string>()

/** True for an answer of this process: what is fetched from it was checked here. */
export const isAnsweredHere = (correlationId: string): boolean => answered.has(correlationId)

/** Returns the number of checked answers, and those that are not as declared. Resets both. */
export function checkedAnswers(): {
  readonly checked: number
  readonly faults: readonly string[]
} {
  const told = [...faults].map(([fault, body]) => `${fault}\n${body}`)
  const found = { checked, faults: told }
  faults.clear()
  answered.clear()
  checked = 0
  return found
}

const MOST_SHOWN = 1_000

/** Removes the sign-in address, which people are told and programs are not (PE2). */
const withoutSignIn = (body: string | null): string | null =>
  body?.replace(/,"sign_in_url":"[^"]*"/, '') ?? null

/**
 * A dispatcher as it is, whose every answer is compared with what its route declares. All tests get it in the place of
 * the dispatcher (`vitest.config.ts`), and a test file with an answer that is not declared fails (HT18).
 */
export function createDispatcher(
  platform: Platform,
  routes: readonly Route[],
  options: GatedOptions = {},
): Dispatcher {
  const dispatcher = create(platform, routes, options)
  const { families, gate } = options
  const isServed = (route: Route): boolean =>
    (families?.includes(route.family) ?? true) && (gate?.opens(route) ?? true)
  const table = createRouteTable(routes.filter(isServed))

  function check({ method, path }: Asked, { status, headers }: HttpResponse, body: string | null): void {
    const match = table.match(method, path)
    if (match === null) return
    checked++
    const shown = gate === undefined ? body : withoutSignIn(body)
    const fault = answerFault(match, method, { status, headers, body: shown })
    if (fault === null) return
    const route = match.type === 'route' ? match.route.path : path
    const what = `${method} ${route} ${status}: ${fault.slice(0, MOST_SHOWN)}`
    if (!faults.has(what)) faults.set(what, body?.slice(0, MOST_SHOWN) ?? 'no body')
  }

  /** The pieces as they come; the whole is checked when the last one was taken. */
  async function* passed(
    asked: Asked,
    response: HttpResponse,
    chunks: AsyncIterable<string | Uint8Array>,
  ): AsyncGenerator<string | Uint8Array> {
    const isJson = response.headers['Content-Type']?.startsWith('application/json') === true
    const texts: string[] = []
    for await (const chunk of chunks) {
      if (isJson && typeof chunk === 'string') texts.push(chunk)
      yield chunk
    }
    check(asked, response, isJson ? texts.join('') : null)
  }

  return {
    matches: path => dispatcher.matches(path),
    async handle(request) {
      const response = await dispatcher.handle(request)
      answered.add(response.headers['X-Correlation-Id'] ?? '')
      // It may last as long as it is read, and has to hear at any time that its reader is gone.
      if (response.cutOff !== undefined) {
        check(request, response, null)
        return response
      }
      if (response.chunks !== null) return { ...response, chunks: passed(request, response, response.chunks) }
      check(request, response, response.body)
      return response
    },
    refusal(request, error) {
      const response = dispatcher.refusal(request, error)
      answered.add(response.headers['X-Correlation-Id'] ?? '')
      check(request, response, response.body)
      return response
    },
  }
}
