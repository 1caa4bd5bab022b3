import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import type { AgentId, ConnectorId } from '../../src/domain/ids.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const [A, B, C] = ['PROJECT-A', 'PROJECT-B', 'PROJECT-C']
const OWNED = { accountId: 'ws-one', agentId: A, environment: 'sandbox', name: 'Line' } as const

async function createWorld() {
  const made = await createPopulatedPlatform()
  const { platform } = made
  /** Deploys a new variant of the agent to sandbox. */
  async function deployVariant(agentId: AgentId): Promise<string> {
    const branch = await platform.agents.createBranch(agentId, { branchName: 'b' })
    const variant = await platform.agents.createVariant(agentId, branch.id, {
      name: `v ${agentId}`,
      isDefault: true,
    })
    await platform.agents.merge(agentId, branch.id)
    return variant.id
  }
  const createAgent = async (agentId: AgentId) =>
    platform.agents.create({ accountId: 'ws-one', agentId, name: agentId, greeting: 'Hello' })
  const actions = async () =>
    (await platform.audit.list({ limit: 1_000 })).entries
      .filter(({ action }) => action.startsWith('connector.'))
      .map(({ action, resource, agentId, details }) => ({ action, id: resource.id, agentId, details }))
  return { ...made, actions, createAgent, deployVariant }
}

const code = (name: string) => expect.objectContaining({ code: name })

test('AC25 AC16 a variant that is not deployed there is refused, when it is created and when it is changed', async () => {
  const { platform, createAgent, deployVariant } = await createWorld()
  await createAgent(C)
  const variantId = await deployVariant(C)
  const { access } = platform
  const owned = { ...OWNED, agentId: C }
  const wrong = access.createTelephonyConnector({ ...owned, variantId: 'none' })
  await expect(wrong).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
  const line = await access.createTelephonyConnector({ ...owned, variantId })
  const change = access.updateTelephonyConnector(C, line.id, { variantId: 'none' })
  await expect(change).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
  expect(await access.telephonyConnector(C, line.id)).toEqual(line)
})

test('TP11 a connector that moves keeps a variant that is there too, and loses another one', async () => {
  const { platform, createAgent, deployVariant } = await createWorld()
  const { access, agents } = platform
  await createAgent(C)
  const common = await deployVariant(C)
  const { id: copy } = await agents.duplicate(C, { newAgentName: 'Copy' })
  const ofCopy = await deployVariant(copy)
  const line = await access.createTelephonyConnector({ ...OWNED, agentId: C, variantId: common })
  const there = await access.updateTelephonyConnector(C, line.id, { agentId: copy })
  expect(there).toEqual({ ...line, agentId: copy })
  const changed = await access.updateTelephonyConnector(copy, line.id, { variantId: ofCopy })
  expect(changed).toEqual({ ...there, variantId: ofCopy })
  const back = await access.updateTelephonyConnector(copy, line.id, { agentId: C })
  expect(back).toEqual({ ...line, variantId: null })
  expect(await access.telephonyConnectors(C)).toEqual([back])
  expect(await access.telephonyConnectors(copy)).toEqual([])
  const wrong = access.updateTelephonyConnector(C, line.id, { agentId: copy, variantId: 'none' })
  await expect(wrong).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
  const stranger = access.updateTelephonyConnector(C, line.id, { agentId: 'PROJECT-Z' })
  await expect(stranger).rejects.toEqual(code('PROJECT_NOT_FOUND'))
  const named = await access.updateTelephonyConnector(C, line.id, { agentId: copy, variantId: ofCopy })
  expect(named).toEqual({ ...line, agentId: copy, variantId: ofCopy })
})

test('TP11 a key for one agent moves nothing to another agent', async () => {
  const { platform } = await createWorld()
  const { access } = platform
  const dispatcher = createDispatcher(platform, routes)
  const { secret } = await access.createApiKey({ kind: 'workspace', accountId: 'ws-one', agentId: A })
  const line = await access.createTelephonyConnector(OWNED)
  const patch = async (body: object) => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
    const path = `PATCH /v1/agents/${A}/telephony/connectors/${line.id}`
    return (await dispatcher.handle(request(path, { headers, body: JSON.stringify(body) }))).status
  }
  expect(await patch({ projectId: B })).toBe(403)
  expect(await access.telephonyConnector(A, line.id)).toEqual(line)
  expect(await patch({ projectId: A, voiceName: 'Ada' })).toBe(200)
})

test('TP11 of changes at once none undoes another', async () => {
  const { platform } = await createWorld()
  const { access } = platform
  const line = await access.createTelephonyConnector(OWNED)
  await Promise.all([
    access.updateTelephonyConnector(A, line.id, { voiceName: 'Ada' }),
    access.updateTelephonyConnector(A, line.id, { asrLangCode: 'de-DE' }),
    access.updateTelephonyConnector(A, line.id, { variantId: 'v1' }),
  ])
  const expected = { ...line, voiceName: 'Ada', asrLangCode: 'de-DE', variantId: 'v1' }
  expect(await access.telephonyConnector(A, line.id)).toEqual(expected)
})

test('AC25 the kinds are apart: neither is found, listed, changed or revoked as the other', async () => {
  const { platform } = await createWorld()
  const { access } = platform
  const line = await access.createTelephonyConnector(OWNED)
  const { connector } = await access.createConnector({
    ...{ accountId: 'ws-one', agentId: A, environment: 'sandbox', hosts: ['a.example'] },
  })
  expect((await access.connectors()).connectors).toEqual([connector])
  expect(await access.telephonyConnectors(A)).toEqual([line])
  const missing = code('CONNECTOR_NOT_FOUND')
  await expect(access.connector(line.id)).rejects.toEqual(missing)
  await expect(access.updateConnector(line.id, { name: 'x' })).rejects.toEqual(missing)
  await expect(access.revokeConnector(line.id)).rejects.toEqual(missing)
  expect(await access.connectorByToken('')).toBeNull()
  expect(await access.revokeTelephonyConnector(A, connector.id)).toBeNull()
  await expect(access.updateTelephonyConnector(A, connector.id, { voiceName: 'x' })).rejects.toEqual(
    code('CONNECTORS_NOT_FOUND'),
  )
})

test('AC25, AU1 and AU6 what becomes of one is noted, and what changes nothing is not', async () => {
  const { platform, actions } = await createWorld()
  const { access } = platform
  const line = await access.createTelephonyConnector(OWNED)
  await access.updateTelephonyConnector(A, line.id, {})
  await access.updateTelephonyConnector(A, line.id, { agentId: B, voiceName: 'Ada' })
  expect(await access.revokeTelephonyConnector(B, line.id)).toEqual([])
  expect(await access.revokeTelephonyConnector(B, line.id)).toBeNull()
  const { kind, name, agentId, environment, variantId } = line
  const speech = { asrLangCode: 'en-US', ttsLangCode: 'en-US', voiceName: '', disableHandoff: false }
  expect(await actions()).toEqual([
    { action: 'connector.revoked', id: line.id, agentId: B, details: { name: 'Line' } },
    {
      ...{ action: 'connector.changed', id: line.id, agentId: A },
      details: { changes: { agentId: { from: A, to: B }, voiceName: { from: '', to: 'Ada' } } },
    },
    {
      ...{ action: 'connector.created', id: line.id, agentId: A },
      details: { kind, name, agentId, environment, variantId, ...speech },
    },
  ])
})

test('AC25 AU13 AU13 an agent that is deleted takes its telephony connectors along, and each is noted', async () => {
  const { platform, actions } = await createWorld()
  const { access, agents } = platform
  const lines = [await access.createTelephonyConnector(OWNED), await access.createTelephonyConnector(OWNED)]
  const other = await access.createTelephonyConnector({ ...OWNED, agentId: B })
  await agents.delete(A)
  await agents.create({ accountId: 'ws-one', agentId: A, name: 'Again', greeting: 'Hello' })
  expect(await access.telephonyConnectors(A)).toEqual([])
  expect(await access.telephonyConnectors(B)).toEqual([other])
  const revoked = (await actions()).filter(({ action }) => action === 'connector.revoked')
  const ids: readonly ConnectorId[] = lines.map(({ id }) => id)
  expect(new Set(revoked.map(({ id }) => id))).toEqual(new Set(ids))
})
