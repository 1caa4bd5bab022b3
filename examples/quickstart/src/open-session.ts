import { type Api, withBearer } from './api.ts'
import { textAt } from './json.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

/** What the operator hands out for the agent, and the visitor's session. */
export interface Session {
  readonly sessionId: string
  readonly accessToken: string
  /** Reads the agent's conversations. */
  readonly projectKey: string
}

/** Queue of the live agents. */
const QUEUE = 'workshop'

/** Makes a connector and a project key as the operator, then opens a session as a visitor. */
export async function openSession(
  api: Api,
  options: Options,
  report: Report,
  agentId: string,
): Promise<Session> {
  const { account: accountId } = options
  const headers = withBearer(options.operatorKey)
  const connector = await api('/operator/v1/connectors', {
    method: 'POST',
    headers,
    body: {
      accountId,
      agentId,
      environment: 'live',
      hosts: ['shop.example'],
      handoff: { mode: 'server', queueName: QUEUE, timeoutSeconds: 300 },
    },
    status: 201,
  })
  const token = textAt(connector, 'token')
  report.step('Make a connector as the operator', { id: textAt(connector, 'id'), hosts: ['shop.example'] })

  const key = await api('/operator/v1/api-keys', {
    method: 'POST',
    headers,
    body: { kind: 'project', accountId, agentId, name: 'quickstart' },
    status: 201,
  })
  report.step('Make a project key as the operator', { id: textAt(key, 'id'), kind: 'project' })

  const access = await api('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': token, 'X-Host': 'www.shop.example' },
    body: {},
    status: 200,
  })
  const accessToken = textAt(access, 'access_token')
  const session = await api('/api/v1/sessions', {
    method: 'POST',
    headers: withBearer(accessToken),
    body: {},
    status: 200,
  })
  report.step("Open a visitor's session", session)
  return { sessionId: textAt(session, 'session_id'), accessToken, projectKey: textAt(key, 'key') }
}
