import type { TelephonyConnector } from '../../domain/access/access.ts'
import { newTelephonyConnectorSchema, telephonyConnectorChangeSchema } from '../../domain/access/schemas.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { changedFields } from '../../domain/audit/details.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { parse } from '../../domain/parse.ts'
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

/** What a change of a telephony connector may carry. */
export interface TelephonyConnectorChange {
  /** A variant of what is active in the environment, if anything is; null for the default one (AC16). */
  readonly variantId?: string | null
  readonly asrLangCode?: string
  /**
   * A voice of the account's library by its id, its name or the provider's id, whose language becomes `ttsLangCode`.
   * Without `speechProvider` it is kept as it is given (VL11).
   */
  readonly voiceName?: string
}

/** A new telephony connector. */
export interface TelephonyConnectorInput extends TelephonyConnectorChange {
  readonly accountId: string
  readonly agentId: string
  readonly environment: Environment
  readonly name: string
  /** @default the voice's, else `asrLangCode` */
  readonly ttsLangCode?: string
  /** @default false */
  readonly disableHandoff?: boolean
}

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
  const given = parse(newTelephonyConnectorSchema, input, 'field')
  const { environment, name, variantId = null, voiceName = '', disableHandoff = false } = given
  const spoken = await connectorVoice(context, { accountId: account.id, voiceName })
  const { asrLangCode = 'en-US', ttsLangCode = spoken.ttsLangCode ?? asrLangCode } = given
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

/** Whose the connector is to be, and its variant there: a variant that the other agent does not have is removed. */
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
 * (AC14).
 */
export async function updateTelephonyConnector(
  context: Acting,
  agentId: AgentId,
  id: ConnectorId,
  { agentId: targetId, ...change }: TelephonyConnectorChange & { readonly agentId?: AgentId },
): Promise<TelephonyConnector> {
  const checked = parse(telephonyConnectorChangeSchema, change, 'field')
  return untilWritten(connectorConflict, async () => {
    const before = await telephonyConnector(context, agentId, id)
    const account = await findAccount(context, before.accountId)
    const moves = targetId !== undefined && targetId !== agentId
    const target = moves ? await findAgent(context, account, targetId) : null
    const { voiceName = before.voiceName } = checked
    const spoken =
      voiceName === before.voiceName ? {} : await connectorVoice(context, { ...before, voiceName })
    const next = { ...(await moved(context, before, target)), ...checked, ...spoken }
    const changes = changedFields(telephonyConnectorSettings(before), telephonyConnectorSettings(next))
    if (Object.keys(changes).length === 0) return before
    if (checked.variantId !== undefined) await checkVariant(context, next)
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
