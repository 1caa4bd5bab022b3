import type { Platform } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'

/** What is used here of SvelteKit's `RequestEvent`. */
interface RequestEvent {
  readonly request: Request
  getClientAddress(): string
}

/** What is used here of SvelteKit's `Handle`, which `src/hooks.server.ts` exports as `handle`. */
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
