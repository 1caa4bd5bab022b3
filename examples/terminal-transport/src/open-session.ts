import { composeSecret, type Platform, systemIds } from '@colloquy/core'
import { createDemoConnector, seedDemo } from '@colloquy/example-standalone'
import type { TerminalOptions } from './terminal.ts'

/** Brings the demo agent to life where it is not yet, and opens a session with it in which replies stream. */
export async function openDemoSession(platform: Platform): Promise<TerminalOptions['session']> {
  await seedDemo(platform)
  // A token that no one else can know, also when the platform is served to others or the database is used again.
  const token = composeSecret('connector', systemIds.secret())
  await createDemoConnector(platform, { token, name: 'terminal' })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: token,
    host: 'localhost',
    remoteAddress: 'terminal',
  })
  const { sessionId } = await platform.messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: true,
  })
  return { sessionId, accessToken }
}
