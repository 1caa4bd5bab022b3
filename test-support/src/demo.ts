import { onTestFinished } from 'vitest'
import { type Api, createApi, withBearer, withKey } from '../../examples/quickstart/src/api.ts'
import { textAt } from '../../examples/quickstart/src/json.ts'
import { connectVisitor, type Visitor } from '../../examples/quickstart/src/visitor.ts'
import { CREDENTIALS, type Standalone } from './standalone.ts'

/** A visitor's session. */
export interface DemoSession {
  readonly sessionId: string
  readonly accessToken: string
}

/** Trades a connector token for an access token, and opens a session with it. */
export async function openSession(api: Api, connectorToken: string, host: string): Promise<DemoSession> {
  const access = await api('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': connectorToken, 'X-Host': host },
    body: {},
    status: 200,
  })
  const accessToken = textAt(access, 'access_token')
  const session = await api('/api/v1/sessions', {
    method: 'POST',
    headers: withBearer(accessToken),
    status: 200,
  })
  return { sessionId: textAt(session, 'session_id'), accessToken }
}

/** Opens a session with the demo agent. */
export const openDemoSession = ({ url }: Standalone): Promise<DemoSession> =>
  openSession(createApi(url), CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'http://localhost:3000')

/** A visitor who has been greeted by the demo agent. */
export async function greetedVisitor(
  server: Standalone,
): Promise<DemoSession & { readonly visitor: Visitor; readonly greeting: string }> {
  const session = await openDemoSession(server)
  const visitor = connectVisitor({ url: server.url, ...session })
  onTestFinished(() => visitor.stop())
  visitor.send('EVENT_TYPE_REQUEST_AI_AGENT_JOIN')
  const greeting = textAt((await visitor.next('EVENT_TYPE_AI_AGENT_MESSAGE')).payload, 'text')
  return { ...session, visitor, greeting }
}

/** Says something and returns what the agent answers. */
export async function ask(visitor: Visitor, text: string): Promise<string> {
  visitor.send('EVENT_TYPE_USER_MESSAGE', { text })
  return textAt((await visitor.next('EVENT_TYPE_AI_AGENT_MESSAGE')).payload, 'text')
}

/** Reads the v3 record of a conversation of the demo agent. */
export const readRecord = (server: Standalone, id: string): Promise<unknown> =>
  createApi(server.url)(`/v3/ws-demo/PROJECT-DEMO/conversations/${id}`, {
    headers: withKey(CREDENTIALS.COLLOQUY_PROJECT_KEY),
    status: 200,
  })
