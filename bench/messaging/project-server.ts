/** The project as a host has it by default, but for the limits on requests a second: SQLite, synchronous=FULL. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import { echo, furnish } from '../reception.ts'
import { withFolder } from '../with-folder.ts'
import { serve } from './serve.ts'

await withFolder(async folder => {
  const store = createSqliteStore({ filename: join(folder, 'bench.db') })
  const platform = createPlatform({ store, runtime: echo, rateLimits: null })
  const { token } = await furnish(platform)
  const server = createServer(createRequestListener(platform))
  attachMessaging(server, platform)
  await serve(server, { token, host: 'localhost' })
  // Not closed: a bench does not wait until thousands of conversations have come to rest.
})
process.exit(0)
