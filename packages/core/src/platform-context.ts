import type { Account, ApiKey, ApiKeyKind, TelephonyConnector } from './domain/access/access.ts'
import type { ConnectorId } from './domain/ids.ts'
import type { AgentStore } from './ports/store/agents.ts'
import { authenticateHash } from './usecases/access/access.ts'
import type { CredentialUses } from './usecases/access/credential-uses.ts'
import { findAccount } from './usecases/access/find-owner.ts'
import type { Context } from './usecases/context.ts'
import type { Streams } from './usecases/messaging/streams.ts'

/** The context of the parts of a platform. */
export interface PlatformContext extends Context {
  readonly uses: CredentialUses
  /** The answers of this process that last as long as they are read. */
  readonly streams: Streams
}

/**
 * The context of core's transports besides the calls of a platform. It has no store, and only the stored data that
 * shows who makes a request.
 */
export interface Edge extends Omit<PlatformContext, 'store' | 'uses'> {
  /** By id or slug. @throws ACCOUNT_NOT_FOUND */
  account(idOrSlug: string): Promise<Account>
  readonly agents: Pick<AgentStore, 'find' | 'findRecord' | 'findDeleted'>
  /** Like {@link Access.authenticate}, for a caller that has the hash already. */
  apiKey(
    hash: string,
    wanted: { readonly kinds: readonly ApiKeyKind[]; readonly region: string | null },
  ): Promise<ApiKey | null>
  /** Null also for one that was revoked. */
  telephonyConnector(id: ConnectorId): Promise<TelephonyConnector | null>
}

/** The context of each platform, by the signal that all copies of a platform share, including those made by `as`. */
const contexts = new WeakMap<AbortSignal, { readonly context: PlatformContext; readonly edge: Edge }>()

/** A platform, or a copy of it. */
type OfPlatform = { readonly closing: AbortSignal }

function edgeOver(context: PlatformContext): Edge {
  const { store, uses, ...others } = context
  const { connectors } = store.access
  return {
    ...others,
    account: idOrSlug => findAccount(context, idOrSlug),
    agents: store.agents,
    apiKey: (hash, wanted) => authenticateHash(context, uses, hash, wanted),
    async telephonyConnector(id) {
      const found = await connectors.findTelephony(id)
      return found?.revokedAt === null ? found : null
    },
  }
}

/** Keeps the platform's internal context for the transports of core, and hides it from hosts. */
export function keepContext({ closing }: OfPlatform, context: PlatformContext): void {
  contexts.set(closing, { context, edge: edgeOver(context) })
}

function keptOf({ closing }: OfPlatform) {
  const kept = contexts.get(closing)
  if (kept === undefined)
    throw new TypeError('This platform was not made by createPlatform. Pass the one that it returned.')
  return kept
}

/** Returns the context of the parts of a platform. @throws TypeError for what `createPlatform` has not made */
export const contextOf = (platform: OfPlatform): PlatformContext => keptOf(platform).context

/** Returns the context of a platform's transports. @throws TypeError for what `createPlatform` has not made */
export const edgeOf = (platform: OfPlatform): Edge => keptOf(platform).edge
