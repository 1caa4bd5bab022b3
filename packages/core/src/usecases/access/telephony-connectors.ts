import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import { newTelephonyConnectorSchema, telephonyConnectorChangeSchema } from '../../domain/access/schemas.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { changedFields } from '../../domain/audit/details.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { eachPage, readOldestFirst } from '../shared/page.ts'
import { untilWritten } from '../shared/until-written.ts'
import { connectorVoice } from '../voices/connector-voice.ts'
import { checkVariant, hasVariant } from './check-variant.ts'
import { connectorSubject, telephonyConnectorSettings } from './connector-audit.ts'
import { findAccount, findAgent } from './find-owner.ts'
import { refuseOrphan } from './refuse-orphan.ts'
import { revokeFound } from './revoke-connector.ts'
import { connectorConflict } from './update-connector.ts'

/** The schema of {@link TelephonyConnectorInput}. */
export const telephonyConnectorInputSchema = newTelephonyConnectorSchema.extend({
  accountId: z.string(),
  agentId: z.string(),
})

/** A new telephony connector. */
export type TelephonyConnectorInput = InputOf<typeof telephonyConnectorInputSchema>

/** The schema of {@link TelephonyConnectorChange}. */
export const telephonyConnectorMoveSchema = telephonyConnectorChangeSchema.extend({
  /** Another agent of its account, to which it moves. */
  agentId: z.string().exactOptional(),
})

/** The changes that a telephony connector accepts. */
export type TelephonyConnectorChange = InputOf<typeof telephonyConnectorMoveSchema>

const notFound = () =>
  new PlatformError('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.')

/** See `Access.createTelephonyConnector`. */
export async function createTelephonyConnector(
  context: Acting,
  input: TelephonyConnectorInput,
): Promise<TelephonyConnector> {
  const { store, ids, clock } = context
  const account = await findAccount(context, input.accountId)
  const agent = await findAgent(context, account, input.agentId)
  const { environment, name, variantId = null, voiceName = '', disableHandoff = false } = input
  const spoken = await connectorVoice(context, { accountId: account.id, voiceName })
  const { asrLangCode = 'en-US', ttsLangCode = spoken.ttsLangCode ?? asrLangCode } = input
  const connector: TelephonyConnector = {
    kind: 'telephony',
    id: `CONNECTOR-${ids.short()}`,
    name,
    accountId: account.id,
    agentId: agent.id,
    environment,
    variantId,
    asrLangCode,
    ttsLangCode,
    voiceName,
    disableHandoff,
    createdAt: clock.now(),
    revokedAt: null,
  }
  await checkVariant(context, connector)
  const details = telephonyConnectorSettings(connector)
  const entry = auditEntry(context, 'connector.created', { ...connectorSubject(connector), details })
  if ((await store.access.connectors.create(connector, { audit: entry })) === 'taken')
    throw new PlatformError(
      'CONNECTOR_ALREADY_EXISTS',
      'A connector with the generated id exists already. Try again.',
    )
  await refuseOrphan(context, { account, agent }, async () => {
    await revokeFound(context, connector)
  })
  return connector
}

/** See `Access.telephonyConnectors`. */
export async function telephonyConnectors(
  { store }: Context,
  agentId: AgentId,
): Promise<readonly TelephonyConnector[]> {
  const all: TelephonyConnector[] = []
  const pages = eachPage(page =>
    readOldestFirst(page, (filter, limit) => store.access.connectors.listTelephony(agentId, filter, limit)),
  )
  for await (const { values } of pages) all.push(...values.filter(({ revokedAt }) => revokedAt === null))
  return all
}

/** See `Access.telephonyConnector`. */
export async function telephonyConnector(
  { store }: Context,
  agentId: AgentId,
  id: ConnectorId,
): Promise<TelephonyConnector> {
  const connector = await store.access.connectors.findTelephony(id)
  if (connector === null || connector.revokedAt !== null || connector.agentId !== agentId) throw notFound()
  return connector
}

/** Returns the connector as the target owns it. A variant that the target agent does not have is removed. */
async function moved(
  context: Context,
  before: TelephonyConnector,
  target: Agent | null,
): Promise<TelephonyConnector> {
  if (target === null) return before
  const next = { ...before, agentId: target.id }
  const { variantId } = before
  const stays = variantId === null || (await hasVariant(context, next, variantId))
  return stays ? next : { ...next, variantId: null }
}

/**
 * See `Access.updateTelephonyConnector`. Decides again when another change came first, as for messaging connectors
 * (AG30).
 */
export async function updateTelephonyConnector(
  context: Acting,
  agentId: AgentId,
  id: ConnectorId,
  { agentId: targetId, ...change }: TelephonyConnectorChange,
): Promise<TelephonyConnector> {
  return untilWritten(connectorConflict, async () => {
    const before = await telephonyConnector(context, agentId, id)
    const account = await findAccount(context, before.accountId)
    const moves = targetId !== undefined && targetId !== agentId
    const target = moves ? await findAgent(context, account, targetId) : null
    const { voiceName = before.voiceName } = change
    const spoken =
      voiceName === before.voiceName ? {} : await connectorVoice(context, { ...before, voiceName })
    const next = { ...(await moved(context, before, target)), ...change, ...spoken }
    const changes = changedFields(telephonyConnectorSettings(before), telephonyConnectorSettings(next))
    if (Object.keys(changes).length === 0) return before
    if (change.variantId !== undefined) await checkVariant(context, next)
    const subject = { ...connectorSubject(before), details: { changes } }
    const entry = auditEntry(context, 'connector.changed', subject)
    if ((await context.store.access.connectors.update(before, next, { audit: entry })) !== 'written')
      return 'stale'
    if (target !== null)
      await refuseOrphan(context, { account, agent: target }, async () => {
        await revokeFound(context, next)
      })
    return next
  })
}

/** See `Access.revokeTelephonyConnector`. */
export async function revokeTelephonyConnector(
  context: Acting,
  agentId: AgentId,
  id: ConnectorId,
): Promise<readonly string[] | null> {
  const connector = await context.store.access.connectors.findTelephony(id)
  if (connector === null || connector.revokedAt !== null || connector.agentId !== agentId) return null
  return revokeFound(context, connector)
}
