import type { Platform } from '@colloquy/core'
import { createDemoConnector, seedDemo } from '@colloquy/example-standalone'
import type { TerminalOptions } from './terminal.ts'

/** The name and the token of the terminal's connector. Only this process uses it. */
const CONNECTOR = { name: 'terminal', token: 'terminal-connector-token' }

/** Brings the demo agent to life where it is not yet, and opens a session with it in which replies stream. */
export async function openDemoSession(platform: Platform): Promise<TerminalOptions['session']> {
  await seedDemo(platform)
  await createDemoConnector(platform, CONNECTOR)
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: CONNECTOR.token,
    host: 'localhost',
    remoteAddress: 'terminal',
  })
  const { sessionId } = await platform.messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: true,
  })
  return { sessionId, accessToken }
}
