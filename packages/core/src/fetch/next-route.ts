import type { FetchHandler } from './fetch-handler.ts'

/** The methods of a route file of Next.js, by the names under which it exports them. */
export type NextRouteHandlers = Readonly<
  Record<
    'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    (request: Request, context?: unknown) => Promise<Response>
  >
>

const notFound = (): Response =>
  Response.json(
    { error: 'There is no such path.' },
    { status: 404, headers: { 'Cache-Control': 'no-store' } },
  )

/**
 * Returns a fetch handler as the exports of a catch-all route file of Next.js, `app/…/[[...path]]/route.ts` (HF1). A
 * path below the file that is not the platform's is 404, since no other route can answer it.
 *
 * @param handle what `createFetchHandler` returned, with the folder of the file as its `basePath`
 */
export function toNextRouteHandler(handle: FetchHandler): NextRouteHandlers {
  const answer = async (request: Request): Promise<Response> => (await handle(request)) ?? notFound()
  return {
    GET: answer,
    HEAD: answer,
    POST: answer,
    PUT: answer,
    PATCH: answer,
    DELETE: answer,
    OPTIONS: answer,
  }
}
