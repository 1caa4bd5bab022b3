import type { World } from './child.ts'
import { createSender, type Sent } from './send.ts'

/** Requests in progress at the same time. */
const AT_ONCE = 16

/** Small requests of many kinds, which succeed, are refused, or lead nowhere. */
function requestsOf({ own, operatorKey }: World): readonly ((number: number) => Sent)[] {
  const get = (target: string, key: string) => (number: number) => {
    const headers = [
      ['X-Api-Key', key],
      ['X-Correlation-Id', `flood-${number}`],
    ] as const
    return { method: 'GET', target, headers, body: null }
  }
  const { accountId, agentId, connectorToken, keys } = own
  const token: Sent['headers'] = [
    ['X-Token', connectorToken],
    ['X-Host', 'localhost'],
  ]
  return [
    get(`/v1/agents/${agentId}`, keys.workspace),
    get(`/v1/agents/${agentId}/branches/main/knowledge-base/topics`, keys.workspace),
    get(`/v3/${accountId}/${agentId}/conversations?limit=1`, keys.project),
    get('/desk/v1/handoffs?status=active', keys.desk),
    number => get(`/v1/agents/nobody-${number}`, keys.workspace)(number),
    number => get(`/v1/agents/${agentId}`, `wrong-${number}`)(number),
    number => get(`/v1/nowhere/${number}`, keys.workspace)(number),
    () => ({
      method: 'GET',
      target: '/operator/v1/accounts',
      headers: [['Authorization', `Bearer ${operatorKey}`]],
      body: null,
    }),
    () => ({ method: 'POST', target: '/api/v1/access-token', headers: token, body: null }),
  ]
}

/**
 * Sends `count` small requests: what each of them left behind would add up. Returns the statuses that came back, each
 * once.
 */
export async function flood(world: World, requests: number): Promise<readonly number[]> {
  const kinds = requestsOf(world)
  const sender = createSender(world.port)
  const statuses = new Set<number>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < requests) {
      const number = next++
      const request = kinds[number % kinds.length]
      if (request !== undefined) statuses.add((await sender.send(request(number))).status)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    sender.close()
  }
  return [...statuses].sort()
}
