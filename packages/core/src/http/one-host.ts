import { PlatformError } from '../errors.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { HttpRequest, HttpResponse } from './route.ts'

/**
 * Answers a request with a dispatcher. Every binding calls it, so that a request of which it is unclear what host it
 * asks is refused whatever the dispatcher serves: routes, a console, probes (HY24).
 */
export const handleOneHost = async (dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResponse> =>
  request.ambiguity === undefined
    ? dispatcher.handle(request)
    : dispatcher.refusal(request, new PlatformError('SCHEMA_VALIDATION_FAILED', request.ambiguity))
