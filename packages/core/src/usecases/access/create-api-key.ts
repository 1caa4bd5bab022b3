import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { type Account, API_KEY_KINDS, type ApiKey, type ApiKeyKind } from '../../domain/access/access.ts'
import { KEY_PERMISSIONS } from '../../domain/access/permissions.ts'
import {
  expirySchema,
  labelSchema,
  liveAgentPermissionSchema,
  regionSchema,
  secretSchema,
} from '../../domain/access/schemas.ts'
import { composeSecret, hashSecret, secretPrefix } from '../../domain/access/secret.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { parse } from '../../domain/parse.ts'
import { PlatformError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { checkExpiry } from './expiry.ts'
import { findAccount, findAgent } from './find-owner.ts'
import { refuseOrphan } from './refuse-orphan.ts'
import { revokeApiKey } from './revoke-api-key.ts'

/** The schema of {@link NewApiKeyInput}. */
export const newApiKeySchema = z.object({
  kind: z.enum(API_KEY_KINDS),
  accountId: z.string().exactOptional(),
  agentId: z.string().exactOptional(),
  region: z.string().exactOptional(),
  name: labelSchema.exactOptional(),
  /**
   * See `KEY_PERMISSIONS`. A desk key acts as the live agents alone whose `live-agent:<id>` it names (DK40).
   * @default everything that keys of its kind may do
   */
  permissions: z.array(z.string()).exactOptional(),
  /** The time of expiry in milliseconds since the epoch, in the future. @default it never expires */
  expiresAt: expirySchema.exactOptional(),
  secret: secretSchema.exactOptional(),
})

/** The scope and the expiry of a new key. */
export type NewApiKeyInput = InputOf<typeof newApiKeySchema>

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** Kinds that may be limited to one agent; the others concern an account, or all of them. */
const AGENT_KINDS: readonly ApiKeyKind[] = ['workspace', 'project', 'external_events']

/** Returns the regions of the hosts at which a kind of key is used. Null when hosts are not set. */
function regionsOf(hosts: Settings['hosts'], kind: ApiKeyKind): readonly string[] | null {
  if (hosts === null) return null
  if (kind === 'workspace') return Object.keys(hosts.base)
  if (kind === 'project' || kind === 'external_events') return Object.keys(hosts.platform)
  return [hosts.base, hosts.platform, hosts.messaging].flatMap(map => Object.keys(map))
}

function checkRegion({ settings }: Context, { kind, region }: NewApiKeyInput): string | null {
  if (region === undefined) return null
  const allowed = regionsOf(settings.hosts, kind)
  if (allowed === null)
    throw invalid('region is not allowed without hosts: there are no regions. Leave it out, or set hosts.')
  if (!allowed.includes(region))
    throw invalid(`There is no region "${region}" for ${kind} keys. Allowed: ${allowed.join(', ')}.`)
  return parse(regionSchema, region, 'region')
}

const deskPermissions = z
  .array(
    z
      .string()
      .refine(
        given => given === 'desk' || liveAgentPermissionSchema.safeParse(given).success,
        'expected "desk", or "live-agent:" and the id of a live agent',
      ),
  )
  .min(1)
  .max(101)

function checkPermissions({ kind, permissions }: NewApiKeyInput): readonly string[] | null {
  if (permissions === undefined) return null
  if (kind !== 'desk') {
    const allowed = z.array(z.enum(KEY_PERMISSIONS[kind])).min(1)
    return [...new Set(parse(allowed, permissions, 'permissions'))].sort()
  }
  // A key that names live agents opens the desk, whether or not that is said.
  return [...new Set([...parse(deskPermissions, permissions, 'permissions'), ...KEY_PERMISSIONS.desk])].sort()
}

interface Owner {
  /** Null for operator keys. */
  readonly account: Account | null
  /** Null for keys that are not limited to one. */
  readonly agent: Agent | null
}

/** Returns the account and the agent that the key is for. */
async function checkOwner(context: Context, { kind, accountId, agentId }: NewApiKeyInput): Promise<Owner> {
  if (kind === 'operator') {
    if (accountId === undefined && agentId === undefined) return { account: null, agent: null }
    throw invalid('An operator key is for every account: accountId and agentId must be left out.')
  }
  if (accountId === undefined) throw invalid(`The accountId is required for ${kind} keys.`)
  const account = await findAccount(context, accountId)
  if (agentId === undefined) return { account, agent: null }
  if (!AGENT_KINDS.includes(kind))
    throw invalid(`The agentId must be left out for ${kind} keys. It goes with: ${AGENT_KINDS.join(', ')}.`)
  return { account, agent: await findAgent(context, account, agentId) }
}

/** Returns all fields that decide the scope and the expiry of a key. Its name is not among them. */
const scopeOf = (key: ApiKey) =>
  JSON.stringify([key.kind, key.accountId, key.agentId, key.region, key.permissions, key.expiresAt])

/** See `Access.createApiKey`. */
export async function createApiKey(
  context: Acting,
  input: NewApiKeyInput,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { store, ids, clock } = context
  const { account, agent } = await checkOwner(context, input)
  const secret = input.secret ?? composeSecret(input.kind, ids.secret())
  const key: ApiKey = {
    id: `KEY-${ids.short()}`,
    kind: input.kind,
    hash: hashSecret(secret),
    prefix: secretPrefix(secret),
    name: input.name ?? '',
    accountId: account?.id ?? null,
    agentId: agent?.id ?? null,
    region: checkRegion(context, input),
    permissions: checkPermissions(input),
    createdAt: clock.now(),
    revokedAt: null,
    expiresAt: checkExpiry(input.expiresAt, clock.now()),
    lastUsedAt: null,
  }
  const entry = auditEntry(context, 'api_key.created', {
    ...{ accountId: key.accountId, agentId: key.agentId, resourceId: key.id },
    details: {
      ...{ kind: key.kind, name: key.name, region: key.region },
      ...{ permissions: key.permissions, expiresAt: key.expiresAt },
    },
  })
  if ((await store.access.apiKeys.create(key, { audit: entry })) === 'created') {
    if (account !== null && agent !== null)
      await refuseOrphan(context, { account, agent }, () => revokeApiKey(context, key.id))
    return { key, secret }
  }
  const existing = await store.access.apiKeys.findByHash(key.hash)
  if (existing !== null && existing.revokedAt === null && scopeOf(existing) === scopeOf(key))
    return { key: existing, secret }
  throw new PlatformError(
    'API_KEY_ALREADY_EXISTS',
    'That secret belongs to a key that was revoked or has another scope or end. Bring another secret.',
  )
}
