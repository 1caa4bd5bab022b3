import { CELLS, type RouteCell } from './cells.ts'
import { ROWS } from './rows.ts'
import {
  ACCOUNTS,
  AGENTS,
  CREDENTIALS,
  type Credential,
  FAMILIES,
  FAMILY_NAMES,
  HOST_CHOICES,
  KEY_KINDS,
  type Row,
  THINGS,
} from './table.ts'

const DONE = 'done'

/** The answers of cells, each once: `done` for every success. */
function answers(cells: readonly RouteCell[]): string {
  const found = cells.map(({ expected }) => (expected < 300 ? DONE : String(expected)))
  return [...new Set(found)].sort().reverse().join(' or ')
}

const line = (columns: readonly string[]): string => `| ${columns.join(' | ')} |`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : ':-:'))), ...rows.map(line)].join(
    '\n',
  )
}

const isOwn = ({ account, agent, thing }: RouteCell): boolean =>
  account === ACCOUNTS[0] && agent === AGENTS[0] && thing === THINGS[0]

/** Cells that ask at the host where a family is at home. */
const isHome = ({ family, host }: RouteCell): boolean => host.name === (FAMILIES[family].hosts ?? 'base')

/** A whole key without region, of the kind that the family asks for. */
const isWholeKey = ({ family, credential }: RouteCell): boolean => credential.name === FAMILIES[family].kind

const isAgentKey = ({ family, credential }: RouteCell): boolean =>
  credential.name === `${FAMILIES[family].kind}, for one agent`

/** Credentials under one head when every family gives them the same answers. */
function grouped(answersOf: (credential: Credential) => readonly string[]): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly names: string[]; readonly answers: readonly string[] }>()
  for (const credential of CREDENTIALS) {
    const given = answersOf(credential)
    const row = rows.get(given.join()) ?? { names: [], answers: given }
    row.names.push(credential.name)
    rows.set(given.join(), row)
  }
  return [...rows.values()].map(({ names, answers: given }) => [shortened(names).join('; '), ...given])
}

/** Merges states that every kind of key has into one name. */
function shortened(names: readonly string[]): readonly string[] {
  const states = ['revoked', 'expired', 'of another region'].filter(state =>
    KEY_KINDS.every(kind => names.includes(`${kind}, ${state}`)),
  )
  const single = names.filter(name => !states.some(state => name.endsWith(`, ${state}`)))
  return [...single, ...states.map(state => `any kind, ${state}`)]
}

function byCredential(): string {
  const own = CELLS.filter(cell => isHome(cell) && isOwn(cell))
  const rows = grouped(credential =>
    FAMILY_NAMES.map(family =>
      answers(own.filter(cell => cell.family === family && cell.credential === credential)),
    ),
  )
  return table(['Credential', ...FAMILY_NAMES], rows)
}

function byHost(): string {
  const own = CELLS.filter(cell => isOwn(cell) && isWholeKey(cell))
  const rows = HOST_CHOICES.map(({ name }) => [
    name,
    ...FAMILY_NAMES.map(family =>
      answers(own.filter(cell => cell.family === family && cell.host.name === name)),
    ),
  ])
  return table(['Host', ...FAMILY_NAMES], rows)
}

const NAMES: readonly (readonly [Row['names'], string])[] = [
  ['account', 'the account'],
  ['agent', 'the agent'],
  ['account and agent', 'account and agent'],
]

function byNames(): string {
  const asked = CELLS.filter(cell => isHome(cell) && cell.thing === THINGS[0])
  const rows = NAMES.flatMap(([names, words]) =>
    ACCOUNTS.flatMap(account =>
      AGENTS.flatMap(agent => {
        const cells = asked.filter(
          cell => cell.row.names === names && cell.account === account && cell.agent === agent,
        )
        if (cells.length === 0) return []
        return [
          [
            words,
            names === 'agent' ? '' : account,
            names === 'account' ? '' : agent,
            answers(cells.filter(isWholeKey)),
            answers(cells.filter(isAgentKey)),
          ],
        ]
      }),
    ),
  )
  return table(['The path names', 'Account', 'Agent', 'Key for the account', 'Key for one agent'], rows)
}

const EXCEPTIONS: readonly string[] = FAMILY_NAMES.flatMap(family =>
  Object.entries(ROWS[family])
    .filter(([, row]) => row.wholeAccount)
    .map(
      ([route]) =>
        `- \`${route}\` concerns the account as a whole although it names an agent: a key for one agent gets 403.`,
    ),
)

function byThing(): string {
  const asked = CELLS.filter(
    cell => isHome(cell) && isWholeKey(cell) && cell.row.thing && cell.account === ACCOUNTS[0],
  )
  const rows = FAMILY_NAMES.flatMap(family => {
    const cells = asked.filter(cell => cell.family === family && cell.agent === AGENTS[0])
    const given = THINGS.map(thing => answers(cells.filter(cell => cell.thing === thing)) || '–')
    return cells.length === 0 ? [] : [[family, ...given]]
  })
  return table(['Family', ...THINGS], rows)
}

const byRoute = (): string =>
  table(
    ['Route', 'Family', 'Names', 'Success'],
    FAMILY_NAMES.flatMap(family =>
      Object.entries(ROWS[family]).map(([route, row]) => [
        `\`${route}\``,
        family,
        row.names,
        String(row.success),
      ]),
    ),
  )

const families = (): string =>
  table(
    ['Family', 'Hosts', 'Key', 'Permission of a limited key'],
    FAMILY_NAMES.map(family => {
      const { hosts, kind, orKind, permission, token = false } = FAMILIES[family]
      const keys = orKind === undefined ? kind : `${kind} or ${orKind}`
      return [family, hosts ?? 'every', token ? `${keys}, and a connector token` : keys, permission]
    }),
  )

/** The page about who gets what. */
export const scopeMatrixPage = (): string => `# Scope matrix

This page is made from the sources by \`npm run document\`; a test keeps it current.

Which request is carried out, and which is refused with what. The tables are made of
[the matrix of the tests](../../e2e/tests/scope-matrix), which is written from the documents and asks nothing of the product. The tests ask
each of its ${CELLS.length.toLocaleString('en')} cells over HTTP: ${Object.values(ROWS).flatMap(Object.keys).length} routes, ${CREDENTIALS.length} credentials (${KEY_KINDS.length} kinds of key), own and other accounts and agents, own
and other hosts and regions. Refused cells change nothing.

- **401** the key is missing, wrong, revoked, expired or of another region, or it is in the wrong header.
- **403** the key is good, and it is of the wrong kind, lacks the permission, or is for another account or agent.
- **404** it does not exist, or it belongs to another owner than the path names: an agent below an account, a topic below a branch, a
  handoff of the key's account. Both read the same.
- **400** the host names no region.

Visitors of messaging bring connector tokens and access tokens instead of keys: see rules MS7, MS10 and SM6 of the
[specification](../../e2e/SPEC.md#scope-matrix).

\`/openapi.json\` and \`/asyncapi.json\` are **done** at every host, with any credential, good or bad, and without one.

## Families

${families()}

## By credential

At the family's own host, about the key's own account and agent. *${DONE}* is a success.

${byCredential()}

A key for one agent gets 403 from every route that does not name that agent: what concerns the account as a whole is not for it. The
families \`desk\` and \`operator\` have no such keys.

${EXCEPTIONS.join('\n')}

## By account and agent

With a key of the right kind. *own* is the agent that a key for one agent is for. Both forms of an account, id and slug, are the same.

${byNames()}

## By what the path names below that

A branch, topic, test case, test run, deployment, chat, conversation, handoff, endpoint, delivery or connector, with a key for the account.

${byThing()}

## By host

With a key of the right kind that is for every region. A key of one region is 401 at the hosts of another; a host without a region, which only
\`desk\` and \`operator\` answer at, takes keys of each.

${byHost()}

## Routes

${byRoute()}
`
