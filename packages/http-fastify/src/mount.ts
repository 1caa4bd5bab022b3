import { contentTypeRefused, type Dispatcher } from '@colloquy/core/transport'
import { type Answering, createRouter, type Middleware } from '@colloquy/http-express'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const pathOf = (target: string): string => /^[^?#]*/.exec(target)?.[0] ?? ''

/**
 * Returns the index at which the path below a prefix begins. Skips as many segments as the prefix has, whatever they
 * are.
 */
function below(target: string, segments: number): number {
  const path = pathOf(target)
  let at = 0
  for (let left = segments; left > 0; left--) {
    at = path.indexOf('/', at + 1)
    if (at === -1) return path.length
  }
  return at
}

/** Returns a router that refuses every request for its content type, in the words of the family of its path. */
function refusing({ dispatcher, trustProxy }: Pick<Answering, 'dispatcher' | 'trustProxy'>): Middleware {
  const handle: Dispatcher['handle'] = async request => dispatcher.refusal(request, contentTypeRefused())
  return createRouter({ ...dispatcher, handle }, { trustProxy })
}

/** Returns the platform's paths below the prefix of a scope with the router; others are answered as not found. */
export function mountRouter(
  scope: FastifyInstance,
  router: Middleware & Pick<Answering, 'dispatcher' | 'trustProxy'>,
): void {
  // A body stays where it is until the router reads it, with its own limits and its own deadline (FY2).
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const segments = scope.prefix.replace(/\/$/, '').split('/').length - 1
  const answerWith = (use: Middleware, request: FastifyRequest, reply: FastifyReply): void => {
    const { raw } = request
    const whole = raw.url ?? '/'
    const target = whole.slice(below(whole, segments))
    if (!router.dispatcher.matches(pathOf(target))) {
      reply.callNotFound()
      return
    }
    // Headers that hooks have set so far are sent with the response (FY4).
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    // The router reads the target before it returns. Later code, such as a log, sees the whole one.
    raw.url = target
    use(Object.assign(raw, { originalUrl: whole, original: request }), reply.raw, () => reply.raw.destroy())
    raw.url = whole
  }
  const answer = (request: FastifyRequest, reply: FastifyReply): void => answerWith(router, request, reply)
  scope.all('/*', answer)
  // The bare prefix is the host's, unless what is mounted answers it: a page does.
  if (segments > 0 && router.dispatcher.matches(''))
    scope.all('/', { prefixTrailingSlash: 'no-slash' }, answer)
  // Fastify refuses a malformed content type before the host's later hooks. So nothing is carried out (FY27).
  const refuse = refusing(router)
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (typeof error !== 'object' || error === null || !('code' in error)) throw error
    if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
    answerWith(refuse, request, reply)
  })
}
