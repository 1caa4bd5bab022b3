import type { RouteCell } from '../../scope-matrix/cells.ts'
import { type Ids, idsAt, type SeededAgent } from '../../scope-matrix/seeded-agent.ts'
import { type AccountRelation, type Credential, FAMILIES, type FamilyName } from '../../scope-matrix/table.ts'
import type { Answer, Outgoing } from './client.ts'
import { type Ask, ask, askAfresh, restore } from './requests.ts'
import type { World } from './world.ts'

/** An id of nothing. */
export const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** The header in which a family takes its key. */
const headerOf = (family: FamilyName, secret: string): Readonly<Record<string, string>> =>
  family === 'operator'
    ? { authorization: `Bearer ${secret}` }
    : { [FAMILIES[family].line === true ? 'x-ai-auth-token' : 'x-api-key']: secret }

/** The headers that bring a credential to a family. */
export function credentialHeaders(
  { keys }: Pick<World, 'keys'>,
  family: FamilyName,
  credential: Pick<Credential, 'name'>,
  { connectorToken = '', lineId = '' }: { readonly connectorToken?: string; readonly lineId?: string } = {},
): Readonly<Record<string, string>> {
  const { token = false, line = false } = FAMILIES[family]
  const beside = { ...(token && { 'x-token': connectorToken }), ...(line && { 'x-token-id': lineId }) }
  if (credential.name === 'none') return beside
  if (credential.name !== 'in the wrong header') return { ...beside, ...headerOf(family, keys(credential)) }
  const secret = keys({ name: FAMILIES[family].kind })
  return { ...beside, ...headerOf(family === 'operator' ? 'agents' : 'operator', secret) }
}

/** The token of the account's agent that is asked about; with a key for one agent that agent's, so that they fit. */
const tokenFor = ({ agents }: World, { agent, credential }: RouteCell): string =>
  (agent === 'another of the account' && credential.opens?.oneAgent !== true ? agents.another : agents.own)
    .connectorToken

/** An account as a path names it. */
function accountName({ accounts }: World, relation: AccountRelation): string {
  if (relation === 'unknown') return 'ws-nobody'
  const account = relation.startsWith('own') ? accounts.own : accounts.other
  return relation.endsWith('slug') ? account.slug : account.id
}

/** The agent that a cell asks about; one that is not there is asked about with what the key's own has. */
export function agentOf({ agents }: World, { agent }: RouteCell): SeededAgent {
  if (agent === 'another of the account') return agents.another
  return agent === "another account's" ? agents.foreign : agents.own
}

/** What nobody has, where not any text will do. */
const NOBODYS: ReadonlyMap<string, string> = new Map([
  ['rule_id', 'ar_nobodys'],
  ['phoneNumber', '+442079469999'],
  ['entryId', '17'],
  ['callSid', 'OUT-00000000-0000-4000-8000-00000000ffff'],
  ['call_sid', 'OUT-00000000-0000-4000-8000-00000000ffff'],
])

/** What a path names below account and agent, where it is not the agent's own. */
function thingIds({ agents }: World, { thing, row, route }: RouteCell): Ids {
  if (thing === 'there') return {}
  const params = [...route.matchAll(/:(\w+)/g)].map(match => match[1] ?? '')
  const below = params.filter(param => !/^(accountId|account_id|agentId|project_id|clientEnv)$/.test(param))
  const last = below.slice(-1)
  if (thing === 'unknown')
    return Object.fromEntries(last.map(param => [param, NOBODYS.get(param) ?? UNKNOWN]))
  // What belongs to an account is somebody else's in another account.
  const isOfAccount = row.names === 'nothing' || row.names === 'account'
  const ids = idsAt(route, isOfAccount ? agents.foreign : agents.another)
  const named = thing === "somebody else's" ? below : last
  return Object.fromEntries(named.map(param => [param, ids[param] ?? '']))
}

/** All that a cell's path names. */
export function namesOf(world: World, cell: RouteCell): Ids {
  const account = accountName(world, cell.account)
  const agent = cell.agent === 'unknown' ? 'PROJECT-nobody' : agentOf(world, cell).id
  const scope = { accountId: account, account_id: account, agentId: agent, project_id: agent }
  return { ...scope, ...thingIds(world, cell) }
}

type Send = (outgoing: Outgoing) => Promise<Answer>

const outgoing = (world: World, cell: RouteCell, { type, ...asked }: Ask): Outgoing => ({
  ...asked,
  host: cell.host.host,
  headers: {
    ...(type !== null && { 'content-type': type }),
    ...credentialHeaders(world, cell.family, cell.credential, {
      connectorToken: tokenFor(world, cell),
      lineId: agentOf(world, cell).ids.connectorId ?? '',
    }),
  },
})

/** Asks a cell whose request is to be refused. */
export const askRefused = (world: World, send: Send, cell: RouteCell): Promise<Answer> =>
  send(outgoing(world, cell, ask(cell.route, agentOf(world, cell), namesOf(world, cell))))

/** Asks a cell whose request is to be carried out, and puts back what it took away. */
export async function askGranted(world: World, send: Send, cell: RouteCell): Promise<Answer> {
  const agent = agentOf(world, cell)
  const asked = await askAfresh(cell.route, world, agent, namesOf(world, cell))
  const answer = await send(outgoing(world, cell, asked))
  if (answer.status < 300) await restore(cell.route, world, agent)
  return answer
}
