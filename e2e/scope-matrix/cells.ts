import { ROWS } from './rows.ts'
import {
  ACCOUNTS,
  AGENTS,
  type Cell,
  CREDENTIALS,
  type Credential,
  expectedStatus,
  FAMILIES,
  FAMILY_NAMES,
  type FamilyName,
  HOST_CHOICES,
  KEY_KINDS,
  type Row,
  THINGS,
} from './table.ts'

/** A cell of the matrix with its route and the status that is expected. */
export interface RouteCell extends Cell {
  /** Method and path. */
  readonly route: string
  readonly family: FamilyName
  readonly row: Row
  readonly expected: number
}

const [OWN_ACCOUNT] = ACCOUNTS
const [OWN_AGENT] = AGENTS
const [THERE] = THINGS

/** The host at which a family's cells are asked, where the host is not the question. */
function homeOf(family: FamilyName) {
  const group = FAMILIES[family].hosts ?? 'base'
  return HOST_CHOICES.filter(choice => choice.group === group).slice(0, 1)
}

/** Returns the accounts and agents that requests of a route can name. If its path names none, it is the key's own. */
function targetsOf({ names }: Row): readonly Pick<Cell, 'account' | 'agent'>[] {
  const accounts = names === 'account' || names === 'account and agent' ? ACCOUNTS : [OWN_ACCOUNT]
  const agents = names === 'agent' || names === 'account and agent' ? AGENTS : [OWN_AGENT]
  return accounts.flatMap(account => agents.map(agent => ({ account, agent })))
}

/** Nothing is somebody else's for an operator. */
const thingsOf = (family: FamilyName, { things }: Row) =>
  THINGS.slice(1).filter(relation => {
    if (relation === 'unknown') return things > 0
    return family !== 'operator' && things > (relation === "somebody else's" ? 0 : 1)
  })

/**
 * Returns the credentials to try at hosts of other families: no key, a wrong one, the plain one of each kind, and all
 * of the family's own.
 */
const travelling = (family: FamilyName): readonly Credential[] => {
  const plain: readonly string[] = ['none', 'garbage', ...KEY_KINDS]
  return CREDENTIALS.filter(
    ({ name, opens }) => plain.includes(name) || opens?.kind === FAMILIES[family].kind,
  )
}

function cellsOf(family: FamilyName, route: string, row: Row): readonly RouteCell[] {
  const ownTarget = { account: OWN_ACCOUNT, agent: OWN_AGENT } as const
  const home = homeOf(family)
  const away = HOST_CHOICES.filter(choice => !home.includes(choice))
  const each = (
    credentials: typeof CREDENTIALS,
    hosts: typeof HOST_CHOICES,
    targets: readonly Pick<Cell, 'account' | 'agent'>[],
    things: readonly Cell['thing'][],
  ) =>
    credentials.flatMap(credential =>
      hosts.flatMap(host =>
        targets.flatMap(target => things.map(thing => ({ credential, host, ...target, thing }))),
      ),
    )
  const cells = [
    ...each(CREDENTIALS, home, targetsOf(row), [THERE]),
    ...each(travelling(family), away, [ownTarget], [THERE]),
    ...each(CREDENTIALS, home, [ownTarget], thingsOf(family, row)),
  ]
  return cells.map(cell => ({ ...cell, route, family, row, expected: expectedStatus(family, row, cell) }))
}

/** Every cell of the matrix: routes × credentials × (accounts × agents at home; other hosts; things below). */
export const CELLS: readonly RouteCell[] = FAMILY_NAMES.flatMap(family =>
  Object.entries(ROWS[family]).flatMap(([route, row]) => cellsOf(family, route, row)),
)

/** True for a cell whose request is to be carried out. */
export const isGranted = ({ expected }: RouteCell): boolean => expected < 300
