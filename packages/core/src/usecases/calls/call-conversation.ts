import type { OutboundCall } from '../../domain/call/outbound-call.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { CallParts } from './call-parts.ts'

/**
 * Begins the conversation that an answered call is (OC20): a recorded one of the call's id, whose turns a voice runtime
 * records. One that is there stays as it is.
 */
export async function beginConversation(
  { clock, settings, store, engine, resolvePinning }: CallParts,
  call: OutboundCall,
): Promise<void> {
  const { accountId, agentId, connectorId, environment, id, metadata } = call
  if ((await engine.load(id)) !== null) return
  const participant = { conversationId: id, visitor: call.to, runs: null }
  const pinning = await resolvePinning(agentId, environment, { variantId: call.variantId, participant })
  const connector = await store.access.connectors.findTelephony(connectorId)
  const state = initialState(
    {
      ...{ id, kind: 'recorded', accountId, agentId, environment, pinning, connectorId },
      ...{ channel: 'VOICE-SIP', direction: 'outbound', variantId: call.variantId },
      idleTimeout: settings.sessionIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      asrLanguage: connector?.asrLangCode ?? null,
      ttsLanguage: connector?.ttsLangCode ?? null,
      language: connector?.ttsLangCode ?? null,
      ...{ fromNumber: call.from ?? '', toNumber: call.to, integrationAttributes: { ...metadata } },
    },
    clock.now(),
  )
  await engine.start(state)
}

/** Ends the conversation of a call, if it has one that goes on (OC20). */
export async function endConversation(
  { engine }: CallParts,
  { id }: Pick<OutboundCall, 'id'>,
): Promise<void> {
  await engine.execute(id, {
    type: 'finish_recording',
    end: {
      ...{ finishedAt: null, reason: 'REASON_NATURAL_END', handoff: null, aiDuration: null },
      ...{ variables: {}, metrics: {} },
    },
  })
}
