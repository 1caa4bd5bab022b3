import { onTestFinished } from 'vitest'
import { connectVisitor, type Visitor } from '../../examples/quickstart/src/visitor.ts'
import { createApi } from '../../packages/client/src/http/index.ts'
import { CREDENTIALS, type Standalone } from './standalone.ts'

/** A visitor's session. */
export interface DemoSession {
  readonly sessionId: string
  readonly accessToken: string
}

/** Trades a connector token for an access token, and opens a session with it. */
export async function openSession(
  server: string,
  connectorToken: string,
  connectorHost: string,
): Promise<DemoSession> {
  const page = createApi({ server, credentials: { connectorToken, connectorHost } })
  const { access_token: accessToken } = await page.issueAccessToken()
  const visitor = createApi({ server, credentials: { accessToken } })
  return { sessionId: (await visitor.createSession({ body: {} })).session_id, accessToken }
}

/** Opens a session with the demo agent. */
export const openDemoSession = ({ url }: Standalone): Promise<DemoSession> =>
  openSession(url, CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'http://localhost:3000')

/** A visitor who has been greeted by the demo agent. */
export async function greetedVisitor(
  server: Standalone,
): Promise<DemoSession & { readonly visitor: Visitor; readonly greeting: string }> {
  const session = await openDemoSession(server)
  const visitor = connectVisitor({ url: server.url, ...session })
  onTestFinished(() => visitor.stop())
  visitor.join()
  const greeting = (await visitor.next('AI_AGENT_MESSAGE')).payload.text
  return { ...session, visitor, greeting }
}

/** Says something and returns what the agent answers. */
export async function ask(visitor: Visitor, text: string): Promise<string> {
  visitor.say(text)
  return (await visitor.next('AI_AGENT_MESSAGE')).payload.text
}

/** Reads the v3 record of a conversation of the demo agent. */
export const readRecord = ({ url }: Standalone, id: string): Promise<unknown> =>
  createApi({ server: url, credentials: { projectKey: CREDENTIALS.COLLOQUY_PROJECT_KEY } }).readConversation({
    account_id: 'ws-demo',
    project_id: 'PROJECT-DEMO',
    conversation_id: id,
  })
