import type { Platform } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'

/** The part of SvelteKit's `RequestEvent` that is used here. */
interface RequestEvent {
  readonly request: Request
  getClientAddress(): string
}

/** The part of SvelteKit's `Handle` that is used here. `src/hooks.server.ts` exports it as `handle`. */
type Handle = (given: {
  readonly event: RequestEvent
  resolve(event: RequestEvent): Promise<Response>
}) => Promise<Response>

export function createHandle(platform: Platform): Handle {
  const answer = createFetchHandler(platform, {
    basePath: '/talk',
    address: (_request, event: RequestEvent) => event.getClientAddress(),
  })
  return async ({ event, resolve }) => (await answer(event.request, event)) ?? resolve(event)
}
