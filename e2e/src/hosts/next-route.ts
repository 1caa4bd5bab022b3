import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createFetchHandler, onePerProcess, toNextRouteHandler } from '@colloquy/core/transport'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'

const talk = () =>
  onePerProcess('talk', () => {
    const store = createSqliteStore({ filename: process.env.COLLOQUY_DATABASE ?? 'colloquy.db' })
    const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
    const handle = createFetchHandler(platform, {
      basePath: '/api/talk',
      trustProxy: true,
      allowInsecure: process.env.NODE_ENV === 'development',
    })
    return { platform, handle }
  })

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextRouteHandler(request =>
  talk().handle(request),
)
