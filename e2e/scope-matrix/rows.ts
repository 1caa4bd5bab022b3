import { type Route, routes } from '@colloquy/core/transport'
import { ANSWERS } from '../../packages/core/src/http/answers/index.ts'
import { FAMILY_NAMES, type FamilyName, type Row } from './table.ts'

/** Routes whose paths name less than they are about: their queries do. */
const IN_QUERY: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/external-events/webhook': ['account_id', 'project_id'],
}

/** Parameters that need not exist: an environment, and a number that is to be imported. */
const NO_THINGS = /:clientEnv|^POST .*\/phone-numbers\/:phoneNumber$/

/** Names that anybody may give: the request makes what was not there, in the key's account. */
const ANY_NAME = /^PUT .*\/queues\/:queueName\/|^PATCH .*\/colleagues\/:liveAgentId$/

/** Families of which a key of one agent opens what is that agent's, although no path names an agent. */
const PER_AGENT: readonly FamilyName[] = ['texts', 'calls', 'number-reservation', 'alerts']

/** It concerns the account as a whole although it names an agent. */
export const WHOLE_ACCOUNT: readonly string[] = ['POST /v1/agents/:agentId/duplicate']

/** Last: what it removes is made again, but empty. */
const LAST = 'DELETE /v1/agents/:agentId'

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

const ANSWERED: Readonly<Record<string, { readonly success: object }>> = ANSWERS

function rowOf(route: Route, family: FamilyName): Row {
  const name = nameOf(route)
  const params = [...route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
  const scope = [...params, ...(IN_QUERY[name] ?? [])]
  const account = scope.some(param => param === 'accountId' || param === 'account_id')
  const agent = scope.some(param => param === 'agentId' || param === 'project_id')
  const below = params.filter(param => !/^(account|agent|project)_?[iI]d$/.test(param))
  return {
    names: account ? (agent ? 'account and agent' : 'account') : agent ? 'agent' : 'nothing',
    success: Math.min(...Object.keys(ANSWERED[route.operation]?.success ?? {}).map(Number)),
    wholeAccount: WHOLE_ACCOUNT.includes(name),
    perAgent: PER_AGENT.includes(family),
    ofOneAgent: family === 'number-reservation',
    things: NO_THINGS.test(name) ? 0 : below.length,
    anyName: ANY_NAME.test(name),
  }
}

/** Every route that a key opens, by family: what its path names, and its status when all is right. */
export const ROWS: Readonly<Record<FamilyName, Readonly<Record<string, Row>>>> = Object.fromEntries(
  FAMILY_NAMES.map(family => [
    family,
    Object.fromEntries(
      routes
        .filter(route => route.family === family)
        .toSorted((one, other) => Number(nameOf(one) === LAST) - Number(nameOf(other) === LAST))
        .map(route => [nameOf(route), rowOf(route, family)]),
    ),
  ]),
) as Record<FamilyName, Record<string, Row>>
