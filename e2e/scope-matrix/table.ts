/**
 * The scope matrix as the documents have it (contract/accounts-and-keys.md, Hosts and regions, Keys;
 * contract/errors.md, Requests). Nothing here asks the product: the tests compare the two.
 */

/** Kinds of keys that open routes, beside the credentials of messaging. */
export const KEY_KINDS = ['workspace', 'project', 'external_events', 'desk', 'operator'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** Permissions to which a key of each kind can be limited. */
const PERMISSIONS: Readonly<Record<KeyKind, readonly string[]>> = {
  workspace: ['agents', 'debug-chat', 'webhooks', 'alerts', 'chat', 'texts', 'calls', 'conversations'],
  project: ['conversations', 'analytics', 'chat', 'texts', 'calls'],
  external_events: ['external-events'],
  desk: ['desk'],
  operator: ['operator'],
}

/** Kinds whose keys can be for one agent of the account. */
const AGENT_KINDS: readonly KeyKind[] = ['workspace', 'project', 'external_events']

/** The hosts of the tests: of which families, and of which region. */
export const HOSTS = {
  base: { us: 'api.us.example.com', uk: 'api.uk.example.com' },
  platform: { 'us-1': 'platform-us-1.example.com', 'uk-1': 'platform-uk-1.example.com' },
  messaging: { 'us-1': 'chat-us-1.example.com', 'uk-1': 'chat-uk-1.example.com' },
} as const
type HostGroup = keyof typeof HOSTS

/** The base host without its region. */
const HOST_WITHOUT_REGION = 'api.example.com'

/** Families of routes that keys open. */
export const FAMILY_NAMES = [
  'agents',
  'debug-chat',
  'chat',
  'texts',
  'calls',
  'handoff-state',
  'number-reservation',
  'webhooks',
  'alerts',
  'conversations-v1',
  'conversations-v3',
  'concurrency',
  'external-events',
  'desk',
  'operator',
] as const
export type FamilyName = (typeof FAMILY_NAMES)[number]

/** Requirements of a family of routes. */
export interface FamilyScope {
  /** Null: every host. */
  readonly hosts: HostGroup | null
  readonly kind: KeyKind
  /** Another kind of key that does as well. @default none */
  readonly orKind?: KeyKind
  /** Whether nothing is asked for beside the one or the other. @default false */
  readonly keyAlone?: boolean
  /** Whether a connector's token is asked for beside the key; requests bring that of the agent. @default false */
  readonly token?: boolean
  /** Whether the key stands in `x-ai-auth-token`, beside the id of a telephony connector. @default false */
  readonly line?: boolean
  /** Permission that a limited key must have. */
  readonly permission: string
}

/** Requirements of each family. */
export const FAMILIES: Readonly<Record<FamilyName, FamilyScope>> = {
  agents: { hosts: 'base', kind: 'workspace', permission: 'agents' },
  'debug-chat': { hosts: 'base', kind: 'workspace', permission: 'debug-chat' },
  chat: { hosts: 'platform', kind: 'project', orKind: 'workspace', token: true, permission: 'chat' },
  texts: { hosts: 'platform', kind: 'project', orKind: 'workspace', line: true, permission: 'texts' },
  calls: { hosts: 'platform', kind: 'project', orKind: 'workspace', line: true, permission: 'calls' },
  'handoff-state': {
    hosts: 'platform',
    kind: 'project',
    orKind: 'workspace',
    keyAlone: true,
    permission: 'conversations',
  },
  'number-reservation': { hosts: 'platform', kind: 'project', permission: 'conversations' },
  webhooks: { hosts: 'base', kind: 'workspace', permission: 'webhooks' },
  alerts: { hosts: 'base', kind: 'workspace', permission: 'alerts' },
  'conversations-v1': { hosts: 'platform', kind: 'project', permission: 'conversations' },
  'conversations-v3': { hosts: 'platform', kind: 'project', permission: 'conversations' },
  concurrency: { hosts: 'platform', kind: 'project', permission: 'analytics' },
  'external-events': { hosts: 'platform', kind: 'external_events', permission: 'external-events' },
  desk: { hosts: null, kind: 'desk', permission: 'desk' },
  operator: { hosts: null, kind: 'operator', permission: 'operator' },
}

/** A credential of the tests. `opens` is null for one that opens nothing in any case. */
export interface Credential {
  readonly name: string
  readonly opens: {
    readonly kind: KeyKind
    /** Null: every region. */
    readonly region: string | null
    /** For one agent of the account alone. */
    readonly oneAgent: boolean
    /** Null: all that its kind may do. */
    readonly permission: string | null
  } | null
}

/** Regions of the hosts at which most cells are asked, by kind of key. */
const homeRegion = (kind: KeyKind): string =>
  kind === 'project' || kind === 'external_events' ? 'us-1' : 'us'

/** The other region. */
const awayRegion = (kind: KeyKind): string =>
  kind === 'project' || kind === 'external_events' ? 'uk-1' : 'uk'

const NOTHING_OPENS = ['none', 'garbage', 'never issued', 'in the wrong header'] as const

/**
 * Every credential that is tried at every route. All keys are of one account; revoked and expired ones are of each
 * kind.
 */
export const CREDENTIALS: readonly Credential[] = [
  ...NOTHING_OPENS.map(name => ({ name, opens: null })),
  ...KEY_KINDS.flatMap((kind): readonly Credential[] => {
    const whole = { kind, region: null, oneAgent: false, permission: null }
    return [
      { name: `${kind}, revoked`, opens: null },
      { name: `${kind}, expired`, opens: null },
      { name: kind, opens: whole },
      { name: `${kind}, of this region`, opens: { ...whole, region: homeRegion(kind) } },
      { name: `${kind}, of another region`, opens: { ...whole, region: awayRegion(kind) } },
      ...(AGENT_KINDS.includes(kind)
        ? [{ name: `${kind}, for one agent`, opens: { ...whole, oneAgent: true } }]
        : []),
      ...PERMISSIONS[kind].map(permission => ({
        name: `${kind}, limited to ${permission}`,
        opens: { ...whole, permission },
      })),
    ]
  }),
]

/** Relation of the named account to the key: its own or another one, by id or by slug, or one that does not exist. */
export const ACCOUNTS = ['own id', 'own slug', 'other id', 'other slug', 'unknown'] as const
export type AccountRelation = (typeof ACCOUNTS)[number]

/** Relation of the named agent to the key: `own` is the one that keys for one agent are for. */
export const AGENTS = ['own', 'another of the account', "another account's", 'unknown'] as const
export type AgentRelation = (typeof AGENTS)[number]

/**
 * Relation of the other things that a path names, for example a branch and its topic: they exist, they belong to somebody
 * else, the last of several does, or it never existed.
 */
export const THINGS = ['there', "somebody else's", "somebody else's, in one's own", 'unknown'] as const
export type ThingRelation = (typeof THINGS)[number]

/** Host of a request, by families of hosts. */
export interface HostChoice {
  readonly name: string
  readonly host: string
  readonly group: HostGroup | null
  readonly region: string | null
}

const host = (name: string, group: HostGroup | null, region: string | null, address: string): HostChoice => ({
  name,
  group,
  region,
  host: address,
})

/** All hosts at which every route is asked. */
export const HOST_CHOICES: readonly HostChoice[] = [
  host('base', 'base', 'us', HOSTS.base.us),
  host('base, other region', 'base', 'uk', HOSTS.base.uk),
  host('base, no region', null, null, HOST_WITHOUT_REGION),
  host('platform', 'platform', 'us-1', HOSTS.platform['us-1']),
  host('platform, other region', 'platform', 'uk-1', HOSTS.platform['uk-1']),
  host('messaging', 'messaging', 'us-1', HOSTS.messaging['us-1']),
  host("nobody's", null, null, 'elsewhere.example.org'),
]

/** A route as far as scopes go. */
export interface Row {
  readonly names: 'nothing' | 'account' | 'agent' | 'account and agent'
  /** The status when all is right. */
  readonly success: number
  /** It concerns the account as a whole although it names an agent: a key for one agent does not open it. */
  readonly wholeAccount: boolean
  /** It names no agent, and opens for a key of one agent all the same, for what is that agent's. */
  readonly perAgent: boolean
  /** It names no agent, and opens only for a key of one agent. */
  readonly ofOneAgent: boolean
  /** Number of things below account and agent that the path names and that must exist. */
  readonly things: number
  /** Such a thing need not exist. */
  readonly anyName: boolean
}

/** One question of the matrix. */
export interface Cell {
  readonly credential: Credential
  readonly host: HostChoice
  readonly account: AccountRelation
  readonly agent: AgentRelation
  readonly thing: ThingRelation
}

/**
 * Returns the status because of the host alone; null if it accepts. A family's paths are on its own hosts. A base host
 * must name a region.
 */
function refusedByHost(group: HostGroup | null, choice: HostChoice): number | null {
  if (group === null || group === choice.group) return null
  return group === 'base' && choice.host === HOST_WITHOUT_REGION ? 400 : 404
}

/**
 * Returns the status because of the names; null if they are accepted. A missing thing is 404; one that exists and is
 * not the key's is 403.
 */
function refusedByNames(row: Row, oneAgent: boolean, { account, agent }: Cell): number | null {
  const namesAccount = row.names === 'account' || row.names === 'account and agent'
  const namesAgent = row.names === 'agent' || row.names === 'account and agent'
  if (namesAccount && account === 'unknown') return 404
  if (namesAccount && account.startsWith('other')) return 403
  if (namesAgent && agent === 'unknown') return 404
  // The named account has no such agent; without a named account there is one, and it is not the key's.
  if (namesAgent && agent === "another account's") return namesAccount ? 404 : 403
  if (oneAgent && namesAgent && agent !== 'own') return 403
  if (row.ofOneAgent && !oneAgent) return 403
  return oneAgent && !row.perAgent && (row.wholeAccount || !namesAgent) ? 403 : null
}

/** The status that the documents ask for. */
export function expectedStatus(family: FamilyName, row: Row, cell: Cell): number {
  const { hosts, kind, orKind, permission } = FAMILIES[family]
  const byHost = refusedByHost(hosts, cell.host)
  if (byHost !== null) return byHost
  const key = cell.credential.opens
  if (key === null) return 401
  if (key.region !== null && cell.host.region !== null && key.region !== cell.host.region) return 401
  if (key.kind !== kind && key.kind !== orKind) return 403
  if (key.permission !== null && key.permission !== permission) return 403
  const byNames = refusedByNames(row, key.oneAgent, cell)
  if (byNames !== null) return byNames
  return cell.thing === 'there' || row.anyName ? row.success : 404
}
