import * as z from 'zod'
import type { Account } from '../domain/access/access.ts'
import { heldRoles, mayUseAccount, type Person } from '../domain/access/person.ts'
import { resolutionsSchema } from '../domain/agent/conflict.ts'
import { PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'
import { CLOSE_CODES } from '../protocol/close-codes.ts'
import { nameOfPerson } from '../usecases/desk/desk-acting.ts'
import { liveAgentIdSchema } from '../usecases/desk/desk-input.ts'
import { takenFiles } from '../usecases/files/taken-files.ts'
import type { Connection, ConnectionPort } from '../usecases/messaging/connection-port.ts'
import { openDeskConnection } from './desk-connection.ts'
import { peopleFileRoutes } from './people-files.ts'
import { peopleRecordRoutes } from './people-records.ts'
import { platformClosed } from './platform-closed.ts'
import { accountOfPrincipal, personOf } from './principal-account.ts'
import { describeRoute, type HttpRequest, type Route } from './route.ts'
import { agentsApi, ofAgent, ofBranch } from './routes/agents-api.ts'
import { listAnswer } from './routes/list-answer.ts'
import { differenceOnWire, fromWire, previewOnWire } from './routes/merge-conflicts.ts'
import * as value from './routes/query-values.ts'
import { noChunks, STREAM_HEADERS } from './stream-answer.ts'

/** The dependencies of the routes for people, beside the platform. */
export interface PeopleParts {
  /** Facts about the host that the person learns. */
  readonly about: {
    readonly signOutUrl: string | null
    readonly widgetUrl: string | null
    readonly mostExported: number
    readonly version: string
  }
  /** Reports whether the requesting person may still do what the route does. */
  mayStill(route: Route, request: HttpRequest): Promise<boolean>
}

/** Bytes that may wait for a slow reader beside those sent first. The same as for a live agent's socket. */
const MOST_WAITING = 1_048_576

/** The accounts that the person may use, oldest first. */
async function accountsOf(platform: Platform, person: Person): Promise<readonly Account[]> {
  const found: Account[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Platform['access']['accounts']>> = await platform.access.accounts({
      limit: 1_000,
      ...(cursor === null ? {} : { cursor }),
    })
    found.push(...page.accounts.filter(({ id }) => mayUseAccount(person, id)))
    cursor = page.cursor
  } while (cursor !== null)
  return found
}

const previewMerge = describeRoute({
  ...ofBranch,
  method: 'POST',
  path: '/console/v1/agents/:agentId/branches/:branchId/merge-preview',
  operation: 'previewMerge',
  summary: 'Preview main after a merge with these resolutions',
  body: z.object({ conflictResolutions: resolutionsSchema.default([]) }),
  async handle({ platform, params: { agentId, branchId }, body }) {
    const conflictResolutions = body.conflictResolutions.map(fromWire)
    const preview = await platform.agents.previewMerge(agentId, branchId, { conflictResolutions })
    return listAnswer(previewOnWire(preview), platform.settings.limits.sliceBytes)
  },
})

const previewPublish = describeRoute({
  ...agentsApi,
  ...ofAgent,
  method: 'GET',
  path: '/console/v1/agents/:agentId/publish-preview',
  operation: 'previewPublish',
  summary: 'Preview the changes of a publication to an environment',
  query: z.object({ environment: value.environment }),
  async handle({ platform, params: { agentId }, query: { environment } }) {
    const { changes, mainRevision, ...preview } = await platform.agents.previewPublish(agentId, environment)
    const shown = { ...preview, mainRevision: String(mainRevision) }
    return listAnswer(
      { ...shown, changes: changes?.map(differenceOnWire) ?? null },
      platform.settings.limits.sliceBytes,
    )
  },
})

/** The routes that need nothing further. */
const OTHERS: readonly Route[] = [
  ...[previewMerge, previewPublish],
  ...peopleFileRoutes,
  ...peopleRecordRoutes,
]

/** Returns the facts about the host that its console shows. */
const factsOf = (platform: Platform, about: PeopleParts['about']) => ({
  ...{ sign_out_url: about.signOutUrl, version: about.version, most_exported: about.mostExported },
  finds_meaning: edgeOf(platform).embedder !== null,
  widget: { url: about.widgetUrl, brand: platform.settings.brand.events },
  files: edgeOf(platform).files === null ? null : takenFiles(platform.settings),
})

/** Returns the routes that are there for people alone (PE5 to PE17). */
export function peopleRoutes({ about, mayStill }: PeopleParts): readonly Route[] {
  const readMe = describeRoute({
    family: 'agents',
    credential: 'own',
    method: 'GET',
    path: '/console/v1/me',
    operation: 'readMe',
    summary: 'Read the user who is signed in, with their roles and accounts',
    async handle({ platform, principal }) {
      const person = personOf(principal)
      const accounts = await accountsOf(platform, person)
      return {
        status: 200,
        json: {
          person: { id: person.id, name: person.name, roles: heldRoles(person.roles) },
          accounts: accounts.map(({ id, slug, name }) => ({ id, slug, name })),
          ...factsOf(platform, about),
        },
      }
    },
  })

  const watchHandoffs = describeRoute({
    family: 'desk',
    credential: 'own',
    method: 'GET',
    path: '/desk/v1/events',
    operation: 'watchHandoffs',
    summary: 'Follow the desk as a stream of events: the frames of its socket',
    query: z.object({ agent_id: liveAgentIdSchema.exactOptional() }),
    async handle({ platform, principal, query, request }) {
      const accountId = accountOfPrincipal(principal)
      const person = personOf(principal)
      const { id } = person
      if (query.agent_id !== undefined && query.agent_id !== id)
        throw new PlatformError(
          'USER_ACCESS_FORBIDDEN',
          `agent_id must not be ${JSON.stringify(query.agent_id)}. Allowed: ${id}.`,
        )
      if (request.method === 'HEAD') return { status: 200, headers: STREAM_HEADERS, chunks: noChunks() }
      const { streams, ids } = edgeOf(platform)
      if (streams.ended) throw platformClosed()
      const { onError } = platform.settings

      function open(port: ConnectionPort): Connection {
        const connection = openDeskConnection(port, {
          watch: listener =>
            platform.desk.watch(accountId, listener, {
              liveAgentId: query.agent_id ?? null,
              name: nameOfPerson(person),
              avatarUrl: person.avatarUrl ?? '',
              ...person.desk,
            }),
          maxBufferedBytes: MOST_WAITING,
          onError,
          // A stream of events takes no frames.
          count: () => 'read',
        })
        // A session of the host's does not report its end, so it is checked.
        const check = async (): Promise<void> => {
          if (await mayStill(watchHandoffs, request)) return
          port.close(CLOSE_CODES.key_revoked, 'signed out')
        }
        return {
          ...connection,
          id: ids.uuid(),
          refresh: () => void check().catch(error => onError(error, 'desk events')),
        }
      }

      const { chunks, cutOff } = streams.open({ open })
      return { status: 200, headers: STREAM_HEADERS, chunks, cutOff }
    },
  })

  return [readMe, watchHandoffs, ...OTHERS]
}
