import { describe, expect, test } from 'vitest'
import { ROWS } from '../../scope-matrix/rows.ts'
import type { SeededAgent } from '../../scope-matrix/seeded-agent.ts'
import { FAMILIES, FAMILY_NAMES, type FamilyName, HOSTS, type Row } from '../../scope-matrix/table.ts'
import { credentialHeaders } from './asking.ts'
import { serveWorld } from './client.ts'
import { ask } from './requests.ts'

/** The words that stand in everything that is kept of an account or agent, and whose they are. */
const MARKS = { own: 'quince', another: 'medlar', foreign: 'sorrel', foreignToo: 'yarrow' } as const
const OWN_ACCOUNT = 'orchard'
const OTHER_ACCOUNT = 'meadow'

const DAY = 'start_time=2026-03-02T00:00:00Z&end_time=2026-03-03T00:00:00Z'
const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'].map(name => `client_env=${name}`)
const SEARCHES = ['common', 'PROJECT', ...Object.values(MARKS)].map(
  word => `query_type=transcript&query=${word}&${DAY}`,
)

/** What a list can be asked besides; the plain question is always asked. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'GET /v1/:account_id/:project_id/conversations': [
    ...ENVIRONMENTS,
    ...['limit=5000', 'offset=1', 'in_progress=true', 'in_progress=false', 'variant_name=Default'],
  ],
  'GET /v3/:account_id/:project_id/conversations': [
    ...ENVIRONMENTS,
    ...['limit=1000', 'limit=1', 'channel=VOICE-SIP', 'channel=CHAT&channel=VOICE-SIP'],
    ...[`sample=random&${DAY}`, ...SEARCHES, ...SEARCHES.map(search => `${search}&turn_type=agent`)],
  ],
  'GET /v1/:account_id/:project_id/conversations/concurrency': [
    ...[`${DAY}&slice_by=variant`, `${DAY}&language=en-GB`, `${DAY}&phone_number=%2B442`],
  ],
  'GET /v1/agents/:agentId/deployments': ['environment=pre-release', 'environment=live&limit=1000'],
  'GET /v1/agents/:agentId/test-runs': ['limit=1', 'limit=1000'],
  'GET /v1/agents/:agentId/testing/test-runs': ['limit=1', 'limit=1000', 'offset=1'],
  'GET /v1/agents/:agentId/testing/test-history': ['limit=1', 'limit=1000', 'offset=1'],
  'GET /desk/v1/handoffs': ['status=waiting', 'status=active'],
  'GET /v1/webhook-endpoints/:id/deliveries': ['limit=1000', 'status=pending'],
}

interface Reading {
  readonly family: FamilyName
  readonly route: string
  readonly row: Row
}

const READINGS: readonly Reading[] = FAMILY_NAMES.flatMap(family =>
  Object.entries(ROWS[family])
    // An address of a file holds no word of whose it is.
    .filter(([route]) => route.startsWith('GET ') && !route.includes('/files/'))
    .map(([route, row]) => ({ family, route, row })),
)

const { world, server } = await serveWorld()

/** All that a route answers about an agent, to every question. */
async function read(
  { family, route }: Reading,
  agent: SeededAgent,
  key: string,
  account: string = agent.account.id,
) {
  const names = { accountId: account, account_id: account, agentId: agent.id, project_id: agent.id }
  const { path } = ask(route, agent, names)
  const bare = path.split('?')[0] ?? ''
  const paths = [path, ...(QUERIES[route] ?? []).map(query => `${bare}?${query}`)]
  const host = FAMILIES[family].hosts === 'platform' ? HOSTS.platform['us-1'] : HOSTS.base.us
  const headers = credentialHeaders(
    world,
    family,
    { name: key },
    {
      connectorToken: agent.connectorToken,
      lineId: agent.ids.connectorId ?? '',
    },
  )
  const answers = paths.map(async one => {
    const { status, text } = await server.send({ method: 'GET', path: one, host, headers })
    expect([one, status]).toEqual([one, 200])
    return text
  })
  return (await Promise.all(answers)).join('\n')
}

const held = (text: string, words: readonly string[]) => words.filter(word => text.includes(word))
const ofOthers = [MARKS.foreign, MARKS.foreignToo, OTHER_ACCOUNT]

describe('what a key reads', () => {
  test.each(READINGS.filter(({ family }) => family !== 'operator'))(
    'FZ3 $route holds what is its own, and nothing of anybody else',
    async reading => {
      const { family, row } = reading
      const kind = FAMILIES[family].kind
      const namesAgent = row.names === 'agent' || row.names === 'account and agent'
      for (const which of ['own', 'another'] as const) {
        const agent = world.agents[which]
        const other = which === 'own' ? MARKS.another : MARKS.own
        const mine = namesAgent ? [MARKS[which]] : [MARKS.own, MARKS.another]
        for (const account of [world.accounts.own.id, world.accounts.own.slug]) {
          const text = await read(reading, agent, kind, account)
          expect(held(text, namesAgent ? [...ofOthers, other] : ofOthers)).toEqual([])
          if (row.things === 0 || namesAgent) expect(held(text, mine)).toEqual(mine)
          else expect(held(text, [MARKS[which]])).toEqual([MARKS[which]])
        }
      }
    },
  )

  test.each(READINGS.filter(({ row }) => row.names === 'agent' || row.names === 'account and agent'))(
    'FZ3 $route holds nothing of another agent for a key that is for one',
    async reading => {
      const text = await read(reading, world.agents.own, `${FAMILIES[reading.family].kind}, for one agent`)
      expect(held(text, [...ofOthers, MARKS.another])).toEqual([])
      expect(held(text, [MARKS.own])).toEqual([MARKS.own])
    },
  )

  test.each(['accounts', 'api-keys', 'connectors', 'audit-log'])(
    "FZ3 the operator's list of %s holds no secret, and of one account nothing of others",
    async list => {
      const headers = credentialHeaders(world, 'operator', { name: 'operator' })
      const get = (query: string) =>
        server.send({ method: 'GET', path: `/operator/v1/${list}${query}`, host: HOSTS.base.us, headers })
      const all = await get('')
      expect(held(all.text, [OWN_ACCOUNT, ...(list === 'api-keys' ? [] : [OTHER_ACCOUNT])])).toContain(
        OWN_ACCOUNT,
      )
      const secrets = [...world.secrets, ...Object.values(world.agents).map(agent => agent.connectorToken)]
      expect(secrets.length).toBeGreaterThan(30)
      expect(held(all.text, secrets)).toEqual([])
      if (list === 'accounts') return
      for (const account of [world.accounts.own.id, world.accounts.own.slug]) {
        const { text } = await get(`?accountId=${account}`)
        expect(held(text, ofOthers)).toEqual([])
        expect(held(text, [OWN_ACCOUNT])).toEqual([OWN_ACCOUNT])
      }
    },
  )
})
