import { onTestFinished } from 'vitest'
import { createApi, withBearer, withKey } from '../../../examples/quickstart/src/api.ts'
import { textAt } from '../../../examples/quickstart/src/json.ts'
import { connectVisitor, type Visitor } from '../../../examples/quickstart/src/visitor.ts'
import { CREDENTIALS, type Standalone } from './standalone.ts'

/** A session of the demo's connector. */
export interface DemoSession {
  readonly sessionId: string
  readonly accessToken: string
}

/** Trades the demo's connector token for an access token. */
async function demoAccessToken(server: Standalone): Promise<string> {
  const access = await createApi(server.url)('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'X-Host': 'http://localhost:3000' },
    body: {},
    status: 200,
  })
  return textAt(access, 'access_token')
}

/** Opens a session with the demo agent. */
export async function openDemoSession(server: Standalone): Promise<DemoSession> {
  const accessToken = await demoAccessToken(server)
  const session = await createApi(server.url)('/api/v1/sessions', {
    method: 'POST',
    headers: withBearer(accessToken),
    status: 200,
  })
  return { sessionId: textAt(session, 'session_id'), accessToken }
}

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
