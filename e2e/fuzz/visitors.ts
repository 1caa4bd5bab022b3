import { within } from '@colloquy/test-support/program'
import { WebSocket } from 'ws'
import { textAt } from '../../examples/quickstart/src/json.ts'
import type { World } from './child.ts'
import type { Tenant } from './tenant.ts'

async function post(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

/** Opens a session of the account's connector, as a visitor's page does. */
async function openSession(
  { port }: Pick<World, 'port'>,
  { connectorToken }: Pick<Tenant, 'connectorToken'>,
) {
  const token = await post(port, '/api/v1/access-token', { 'X-Token': connectorToken, 'X-Host': 'localhost' })
  const accessToken = textAt(token, 'access_token')
  const session = await post(port, '/api/v1/sessions', { Authorization: `Bearer ${accessToken}` })
  const sessionId = textAt(session, 'session_id')
  return { sessionId, url: `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${accessToken}` }
}

const event = (type: string, payload: unknown = {}): string =>
  JSON.stringify({ type: `EVENT_TYPE_${type}`, payload })

/**
 * Has a visitor wait for a live agent, and go away meanwhile: the session, of which the id is returned, stays in the
 * queue.
 */
export async function queueVisitor(world: World, tenant: Tenant, words: string): Promise<string> {
  const { sessionId, url } = await openSession(world, tenant)
  const socket = new WebSocket(url)
  const queued = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed before the visitor was in the queue')))
    socket.on('open', () => {
      socket.send(event('REQUEST_AI_AGENT_JOIN'))
      socket.send(event('USER_MESSAGE', { text: `${words}: Fetch me a human` }))
    })
    socket.on('message', data => {
      if (String(data).includes('EVENT_TYPE_HANDOFF_ACCEPTED')) resolve()
    })
  })
  await within(queued, 'a place in the queue').finally(() => socket.close())
  return sessionId
}
