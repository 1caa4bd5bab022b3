import {
  createDispatcher as create,
  type Dispatcher,
  type DispatcherOptions,
} from '../../packages/core/src/http/dispatcher.ts'
import type { HttpResponse, Route } from '../../packages/core/src/http/route.ts'
import { createRouteTable } from '../../packages/core/src/http/route-table.ts'
import type { Platform } from '../../packages/core/src/platform.ts'
import { answerFault } from './declared-answers.ts'

/** What is asked of a dispatcher. */
interface Asked {
  readonly method: string
  readonly path: string
}

/** The first answer of each fault, by route, status and fault. */
const faults = new Map<string, string>()
let checked = 0

/** How many answers were checked, and those that are not as declared; both begin anew. */
export function checkedAnswers(): { readonly checked: number; readonly faults: readonly string[] } {
  const found = { checked, faults: [...faults].map(([fault, body]) => `${fault}\n${body}`) }
  faults.clear()
  checked = 0
  return found
}

const MOST_SHOWN = 1_000

/**
 * A dispatcher as it is, whose every answer is compared with what its route declares. All tests get it in the place of
 * the dispatcher (`vitest.config.ts`), and a test file with an answer that is not declared fails (HT60).
 */
export function createDispatcher(
  platform: Platform,
  routes: readonly Route[],
  options: DispatcherOptions = {},
): Dispatcher {
  const dispatcher = create(platform, routes, options)
  const { families } = options
  const table = createRouteTable(routes.filter(({ family }) => families?.includes(family) ?? true))

  function check({ method, path }: Asked, { status, headers }: HttpResponse, body: string | null): void {
    const match = table.match(method, path)
    if (match === null) return
    checked++
    const fault = answerFault(match, method, { status, headers, body })
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
      if (response.chunks !== null) return { ...response, chunks: passed(request, response, response.chunks) }
      check(request, response, response.body)
      return response
    },
    refusal(request, error) {
      const response = dispatcher.refusal(request, error)
      check(request, response, response.body)
      return response
    },
  }
}
