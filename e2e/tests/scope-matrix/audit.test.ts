import type { AuditAction } from '@colloquy/core'
import { describe, expect, test } from 'vitest'
import { CELLS, isGranted, type RouteCell } from '../../scope-matrix/cells.ts'
import { ROWS } from '../../scope-matrix/rows.ts'
import { FAMILIES, FAMILY_NAMES, type FamilyName } from '../../scope-matrix/table.ts'
import { agentOf, askGranted, namesOf } from './asking.ts'
import { serveWorld } from './client.ts'
import { ask } from './requests.ts'

const AGENT = '/v1/agents/:agentId'
const BRANCH = `${AGENT}/branches/:branchId`
const VOICES = '/v1/accounts/:accountId/voice-library'
const AUDIO = `${AGENT}/audio-cache`
const ENDPOINT = '/v1/webhook-endpoints/:id'
const RULE = '/v1/alert-rules/:rule_id'

/** What a request of a route leaves in the audit log. */
const AUDITED: Readonly<Record<string, readonly AuditAction[]>> = {
  'POST /v1/accounts/:accountId/agents': ['agent.created'],
  [`PATCH ${AGENT}`]: ['agent.updated'],
  [`POST ${AGENT}/duplicate`]: ['agent.duplicated'],
  // With the agent go its connectors and the keys that are limited to it (AU13).
  [`DELETE ${AGENT}`]: ['agent.deleted'],
  [`DELETE ${BRANCH}`]: ['branch.deleted'],
  [`POST ${BRANCH}/merge`]: ['branch.merged'],
  [`POST ${AGENT}/deployments/publish`]: ['deployment.published'],
  [`POST ${AGENT}/deployments/:deploymentId/promote`]: ['deployment.promoted'],
  [`POST ${AGENT}/deployments/:deploymentId/rollback`]: ['deployment.rolled_back'],
  [`POST ${AGENT}/rollouts`]: ['rollout.started'],
  [`PATCH ${AGENT}/rollouts/:rolloutId`]: ['rollout.share_changed'],
  [`POST ${AGENT}/rollouts/:rolloutId/end`]: ['rollout.ended'],
  [`PUT ${AGENT}/real-time-configs/:clientEnv/schema`]: ['real_time_config.schema_changed'],
  [`PATCH ${AGENT}/real-time-configs/:clientEnv/variables`]: ['real_time_config.variables_changed'],
  [`POST ${AGENT}/test-runs`]: ['test_run.started'],
  [`POST ${AGENT}/testing/test-runs/trigger`]: ['test_run.started'],
  [`POST ${AGENT}/replays`]: ['replay.started'],
  [`POST ${AGENT}/replays/:replayId/accept`]: ['replay.accepted'],
  'POST /operator/v1/accounts': ['account.created'],
  'POST /operator/v1/api-keys': ['api_key.created'],
  'DELETE /operator/v1/api-keys/:id': ['api_key.revoked'],
  'POST /operator/v1/connectors': ['connector.created'],
  'PATCH /operator/v1/connectors/:id': ['connector.changed'],
  'POST /operator/v1/connectors/:id/context-keys': ['connector.context_keys_rotated'],
  'DELETE /operator/v1/connectors/:id/context-keys': ['connector.context_keys_revoked'],
  'DELETE /operator/v1/connectors/:id': ['connector.revoked'],
  'POST /operator/v1/telephony-connectors': ['connector.created'],
  [`PATCH ${AGENT}/telephony/connectors/:connectorId`]: ['connector.changed'],
  [`DELETE ${AGENT}/telephony/connectors/:connectorId`]: ['connector.revoked'],
  [`PATCH ${AGENT}/telephony/connectors/batch`]: ['connector.changed'],
  [`POST ${AGENT}/telephony/phone-numbers`]: ['phone_number.imported'],
  [`DELETE ${AGENT}/telephony/phone-numbers`]: ['phone_number.deleted'],
  [`POST ${AGENT}/telephony/phone-numbers/:phoneNumber`]: ['phone_number.imported'],
  [`PATCH ${AGENT}/telephony/phone-numbers/:phoneNumber`]: ['phone_number.changed'],
  [`DELETE ${AGENT}/telephony/phone-numbers/:phoneNumber`]: ['phone_number.deleted'],
  [`DELETE ${AUDIO}/:entryId`]: ['cached_audio.deleted'],
  [`POST ${AUDIO}/bulk-delete`]: ['cached_audio.deleted'],
  [`PATCH ${AUDIO}/:entryId/file`]: ['cached_audio.changed'],
  [`PUT ${AUDIO}/:entryId/details`]: ['cached_audio.changed'],
  [`POST ${VOICES}`]: ['voice.created'],
  [`PATCH ${VOICES}/:voiceId`]: ['voice.changed'],
  'POST /desk/v1/handoffs/:id/accept': ['handoff.accepted'],
  'POST /desk/v1/handoffs/:id/leave': ['handoff.left'],
  'POST /desk/v1/handoffs/:id/return': ['handoff.returned'],
  'POST /desk/v1/handoffs/:id/transfer': ['handoff.transferred'],
  'POST /desk/v1/handoffs/:id/reject': ['handoff.rejected'],
  'PUT /desk/v1/queues/:queueName/hours': ['queue.hours_changed'],
  'DELETE /desk/v1/queues/:queueName/hours': ['queue.hours_removed'],
  'PUT /desk/v1/queues/:queueName/assignment': ['queue.assignment_changed'],
  'DELETE /desk/v1/queues/:queueName/assignment': ['queue.assignment_removed'],
  'POST /desk/v1/replies': ['shared_reply.created'],
  'PATCH /desk/v1/replies/:replyId': ['shared_reply.changed'],
  'DELETE /desk/v1/replies/:replyId': ['shared_reply.deleted'],
  'POST /operator/v1/phone-numbers': ['phone_number.imported'],
  'DELETE /operator/v1/phone-numbers/:phoneNumber': ['phone_number.deleted'],
  'POST /operator/v1/pooled-numbers': ['pooled_number.added'],
  'DELETE /operator/v1/pooled-numbers/:phoneNumber': ['pooled_number.removed'],
  'POST /operator/v1/token-keys/rotate': ['token_key.rotated'],
  'POST /v1/alert-rules': ['alert_rule.created'],
  [`PATCH ${RULE}`]: ['alert_rule.changed'],
  [`DELETE ${RULE}`]: ['alert_rule.deleted'],
  'POST /v1/webhook-endpoints': ['webhook_endpoint.created'],
  [`PATCH ${ENDPOINT}`]: ['webhook_endpoint.changed'],
  [`DELETE ${ENDPOINT}`]: ['webhook_endpoint.deleted'],
  [`POST ${ENDPOINT}/rotate-secret`]: ['webhook_endpoint.secret_rotated'],
}

/** Reads that are noted (AU14). */
const NOTED: Readonly<Record<string, readonly AuditAction[]>> = {
  [`GET ${AGENT}/conversations/:recordId/audio`]: ['conversation.listened'],
}

/** Changes that are noted when they are merged, that are a conversation, or that send again what was noted (AU1). */
const NOT_AUDITED: readonly RegExp[] = [
  // Who is away changes several times a day, and nothing that a visitor gets.
  /^PATCH .*\/colleagues\/:liveAgentId$/,
  // Figures count it, and the visitor goes on waiting.
  /^POST .*\/handoffs\/:id\/decline$/,
  /^(?:POST|PATCH|DELETE) \/v1\/agents\/:agentId\/branches\/:branchId\/(?!merge)/,
  /^POST \/v1\/agents\/:agentId\/branches$/,
  /\/debug-chat/,
  /\/chat\//,
  /\/outbound-(?:sms|call)/,
  /\/dni-reservation/,
  /external-events/,
  // Nothing is kept of it.
  /^POST .*\/audio-cache\/:entryId\/synthesize$/,
  // Reads that name what they read in their body.
  /^POST .*\/telephony\/(?:connectors\/(?:batch|lookup)|phone-numbers\/batch)$/,
  // What is said, and noted, is in the conversation, under its live agent.
  /^POST \/desk\/.*\/(?:typing|messages|notes|summary|suggestions|files)$/,
  /^POST \/v1\/webhook-endpoints\/:id\/(?:test|deliveries)/,
]

const { world, server } = await serveWorld()

/** A request of the route that is to be carried out. */
const grantedCell = (family: FamilyName, route: string): RouteCell | undefined =>
  CELLS.find(
    cell =>
      cell.route === route &&
      isGranted(cell) &&
      cell.credential.name === `${FAMILIES[family].kind}${cell.row.ofOneAgent ? ', for one agent' : ''}`,
  )

describe('the audit log, route by route', () => {
  test('AU1 every route that changes something is in one of the two lists, and no list names another', () => {
    const changing = FAMILY_NAMES.flatMap(family => Object.keys(ROWS[family])).filter(
      route => !route.startsWith('GET '),
    )
    const listed = (route: string) => [route in AUDITED, NOT_AUDITED.some(pattern => pattern.test(route))]
    expect(changing.filter(route => listed(route).filter(Boolean).length !== 1)).toEqual([])
    expect(Object.keys(AUDITED).filter(route => !changing.includes(route))).toEqual([])
  })

  test('SM4 a request of every route can be asked about what each agent has', () => {
    for (const cell of CELLS) ask(cell.route, agentOf(world, cell), namesOf(world, cell))
    expect(CELLS.filter(({ thing, row }) => thing !== 'there' && row.names !== 'nothing')).not.toEqual([])
  })

  // From the last family to the first: when an agent is deleted all that was said with it ends.
  test.each([...FAMILY_NAMES].reverse())(
    'AU1 and AU3 each request of %s leaves what the list says, under its key and its correlation id',
    async family => {
      for (const route of Object.keys(ROWS[family])) {
        const cell = grantedCell(family, route)
        if (cell === undefined) throw new Error(`no request of ${route} is to be carried out`)
        const answer = await askGranted(world, server.send, cell)
        expect(answer.status, `${route}: ${answer.text}`).toBe(cell.expected)
        const { entries } = await world.platform.audit.list({ limit: 1_000 })
        const own = entries.filter(entry => entry.correlationId === answer.headers['x-correlation-id'])
        const expected = AUDITED[route] ?? NOTED[route] ?? []
        expect(
          own.map(({ action }) => action),
          route,
        ).toEqual(expect.arrayContaining([...expected]))
        const beside = own.filter(({ action }) => !expected.includes(action)).map(({ action }) => action)
        if (route !== `DELETE ${AGENT}`) expect(beside, route).toEqual([])
        else expect(new Set(beside)).toEqual(new Set(['api_key.revoked', 'connector.revoked']))
        for (const { actor } of own) expect(actor, route).toMatchObject({ type: 'api_key' })
      }
    },
    120_000,
  )
})
