import { createHash } from 'node:crypto'
import { composeSecret, type Platform } from '@colloquy/core'
import { createDemoConnector } from './demo-platform.ts'
import { DEMO_ACCOUNT_ID } from './seed.ts'

/**
 * The token of the connector of the demo page, which is made where there is none. It is the same at every start and on
 * every server of a database, and no other database has it: pages go on with their conversations.
 */
export async function provideDemoToken(
  { access }: Pick<Platform, 'access'>,
  handoffTimeoutSeconds: number | null,
): Promise<string> {
  const { connectors } = await access.connectors({ accountId: DEMO_ACCOUNT_ID, limit: 1 })
  const oldest = connectors[0]?.id ?? ''
  const token = composeSecret(
    'connector',
    createHash('sha256').update(`demo page of ${oldest}`).digest('hex'),
  )
  const timeout = handoffTimeoutSeconds === null ? {} : { timeoutSeconds: handoffTimeoutSeconds }
  await createDemoConnector({ access }, { token, name: 'Demo page', ...timeout })
  return token
}
