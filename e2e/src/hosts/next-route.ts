import { createMemoryStore } from '@colloquy/adapter-memory'
import { createPlatform } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'
import { onePerProcess, toNextRouteHandler } from '@colloquy/http-fetch'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'

const platform = onePerProcess('platform', () =>
  createPlatform({ store: createMemoryStore(), runtime: createRetrievalRuntime() }),
)

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextRouteHandler(
  createFetchHandler(platform, { basePath: '/api/talk', trustProxy: true }),
)
