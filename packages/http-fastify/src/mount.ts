import type { Answering, Middleware } from '@colloquy/http-express'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const pathOf = (target: string): string => /^[^?#]*/.exec(target)?.[0] ?? ''

/** Where in a target the path below a prefix begins: behind as many segments as the prefix has, whatever they are. */
function below(target: string, segments: number): number {
  const path = pathOf(target)
  let at = 0
  for (let left = segments; left > 0; left--) {
    at = path.indexOf('/', at + 1)
    if (at === -1) return path.length
  }
  return at
}

/** Answers the platform's paths below the prefix of a scope with the router; others are answered as not found. */
export function mountRouter(
  scope: FastifyInstance,
  router: Middleware & Pick<Answering, 'dispatcher'>,
): void {
  // A body stays where it is until the router reads it, with its own limits and its own deadline (FY2).
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const segments = scope.prefix.replace(/\/$/, '').split('/').length - 1
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw } = request
    const whole = raw.url ?? '/'
    const target = whole.slice(below(whole, segments))
    if (!router.dispatcher.matches(pathOf(target))) {
      reply.callNotFound()
      return
    }
    // What hooks have set so far goes out with the answer (FY4).
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    // The router reads the target before it returns; what comes after it, such as a log, is told of the whole one.
    raw.url = target
    router(Object.assign(raw, { originalUrl: whole, original: request }), reply.raw, () =>
      reply.raw.destroy(),
    )
    raw.url = whole
  }
  scope.all('/*', answer)
  // The bare prefix is the host's, unless what is mounted answers it: a page does.
  if (segments > 0 && router.dispatcher.matches(''))
    scope.all('/', { prefixTrailingSlash: 'no-slash' }, answer)
  // A malformed content type Fastify refuses before it calls a handler: here too the words are ours (FY2).
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (typeof error !== 'object' || error === null || !('code' in error)) throw error
    if (!String(error.code).startsWith('FST_ERR_CTP_')) throw error
    answer(request, reply)
  })
}
