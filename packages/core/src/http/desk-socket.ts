import * as z from 'zod'
import type { ApiKey } from '../domain/access/access.ts'
import { liveAgentsOf } from '../domain/access/permissions.ts'
import type { Principal } from '../domain/access/principal.ts'
import type { Caller } from '../domain/audit/audit.ts'
import { deskServiceSchema, queueNameSchema } from '../domain/conversation/desk-service.ts'
import type { AccountId } from '../domain/ids.ts'
import { parse } from '../domain/parse.ts'
import { ERROR_STATUS, PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'
import type { Metered } from '../usecases/access/frame-meter.ts'
import type { DeskWatcher } from '../usecases/desk/desk.ts'
import { liveAgentIdSchema, liveAgentSchema } from '../usecases/desk/desk-input.ts'
import { authenticateSecret } from './authorize.ts'
import { ERROR_BODY, errorHeaders, presentable } from './error-body.ts'
import { requestRegion } from './hosts.ts'
import { platformClosed } from './platform-closed.ts'
import { integer } from './routes/query-values.ts'

/** A live agent's client that may watch. */
export interface DeskAdmission {
  /** The agent whose visitors it gets. */
  readonly accountId: AccountId
  /** The live agent who watches, with the queues that they serve. */
  readonly watcher: DeskWatcher
  /** The key, as whom the client acts. */
  readonly caller: Pick<Caller, 'type' | 'id'>
  /** Calls `ended` once the key no longer opens the desk (CR5). The returned function ends it. */
  watchKey(ended: () => void): () => void
  /** Counts a frame of the client: those of one key together. */
  count(frame: string): Metered
}

function deskKey(
  principal: Principal,
): Pick<ApiKey, 'id' | 'permissions'> & { readonly accountId: AccountId } {
  const key = principal.type === 'api_key' ? principal.key : null
  const accountId = key?.accountId ?? null
  if (key !== null && accountId !== null) return { id: key.id, permissions: key.permissions, accountId }
  throw new PlatformError('USER_ACCESS_FORBIDDEN', 'The key belongs to no account.')
}

/** The live agent who watches, in the words of the query. */
const watchingQuery = z
  .object({
    agent_id: liveAgentIdSchema.nullable(),
    agent_name: liveAgentSchema.shape.name.nullable().default(null),
    agent_avatar_url: liveAgentSchema.shape.avatarUrl.nullable().default(null),
    queue: z.array(queueNameSchema).max(50).default([]),
    skill: deskServiceSchema.shape.skills.unwrap().default([]),
    talks_at_once: integer(1, 1_000).nullable().default(null),
  })
  .transform(
    ({ agent_id: liveAgentId, agent_name: name, agent_avatar_url: avatarUrl, ...given }): DeskWatcher => ({
      liveAgentId,
      ...(name === null ? {} : { name }),
      ...(avatarUrl === null ? {} : { avatarUrl }),
      queues: given.queue.length === 0 ? null : given.queue,
      skills: given.skill,
      ...(given.talks_at_once === null ? {} : { talksAtOnce: given.talks_at_once }),
    }),
  )

/**
 * Checks the key of a request to watch the desk, as the desk's routes check theirs (DK8).
 *
 * @throws RATE_LIMITED, AUTH_USER_UNAUTHORISED for a key that is missing, wrong, revoked or of another region
 * @throws USER_ACCESS_FORBIDDEN for a good key of another kind, or one without permission for the desk
 * @throws SCHEMA_VALIDATION_FAILED for an invalid id of a live agent
 */
export async function admitToDesk(
  platform: Platform,
  request: {
    readonly apiKey: string | null
    readonly host: string | undefined
    readonly remoteAddress: string
    /** Each parameter of the query about the live agent. Null for one that is not given. */
    readonly watching: { readonly [Name in keyof z.input<typeof watchingQuery>]: unknown }
  },
): Promise<DeskAdmission> {
  if (platform.closing.aborted) throw platformClosed()
  const secret = request.apiKey?.trim() ?? ''
  if (secret === '')
    throw new PlatformError(
      'AUTH_USER_UNAUTHORISED',
      'An API key is required in the query parameter api_key.',
    )
  const region = requestRegion(platform.settings.hosts, 'desk', request.host)
  const route = { credential: 'desk', family: 'desk' } as const
  const principal = await authenticateSecret(platform, route, secret, {
    region,
    remoteAddress: request.remoteAddress,
  })
  const { accountId, id, permissions } = deskKey(principal)
  const watcher = parse(watchingQuery, request.watching, 'query parameter')
  const { liveAgentId = null } = watcher
  const allowed = liveAgentsOf({ permissions })
  if (liveAgentId !== null && allowed !== null && !allowed.includes(liveAgentId))
    throw new PlatformError(
      'USER_ACCESS_FORBIDDEN',
      `agent_id must not be ${JSON.stringify(liveAgentId)}. Allowed: ${allowed.slice(0, 20).join(', ')}.`,
    )
  return {
    accountId,
    watcher,
    caller: { type: 'api_key', id },
    watchKey: ended => platform.access.watchApiKey(id, ended),
    count: frame => edgeOf(platform).limiters.frames.count(`desk:${id}`, frame),
  }
}

/**
 * Returns the refusal of a request for the desk's socket, which is the same as for every request to the desk. `body`
 * takes the correlation id (HT18).
 */
export function refuseFromDesk(error: unknown): {
  readonly status: number
  readonly body: (correlationId: string) => object
  readonly headers: Readonly<Record<string, string>>
} {
  const shown = presentable(error)
  const body = (correlationId: string): object => ERROR_BODY.desk(shown, correlationId)
  return { status: ERROR_STATUS[shown.code], body, headers: errorHeaders(shown) }
}
