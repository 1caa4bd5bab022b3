import { type Api, createApi } from '@colloquy/client/http'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

/** The visitor's session, and the credential that the operator gave out for the agent. */
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
  const { account: accountId, url: server } = options
  const connector = await api.createConnector({
    body: {
      accountId,
      agentId,
      environment: 'live',
      hosts: ['shop.example'],
      handoff: { mode: 'server', queueName: QUEUE, timeoutSeconds: 300 },
    },
  })
  const { id, token: connectorToken } = connector
  report.step('Make a connector as the operator', { id, hosts: connector.hosts })

  const key = await api.createApiKey({ body: { kind: 'project', accountId, agentId, name: 'quickstart' } })
  report.step('Make a project key as the operator', { id: key.id, kind: key.kind })

  const page = createApi({ server, credentials: { connectorToken, connectorHost: 'www.shop.example' } })
  const { access_token: accessToken } = await page.issueAccessToken()
  const session = await createApi({ server, credentials: { accessToken } }).createSession({ body: {} })
  report.step("Open a visitor's session", session)
  return { sessionId: session.session_id, accessToken, projectKey: key.key }
}
