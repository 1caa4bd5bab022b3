import { ALL_KINDS } from './all-kinds.ts'
import { conversationsOver } from './conversations/conversations.ts'
import { copiesOver } from './conversations/copies.ts'
import { numbersOf, type ProcessPorts } from './conversations/numbers.ts'
import { packingOver } from './conversations/packing.ts'
import type { CopyableStore } from './copies.ts'
import type { Documents } from './documents.ts'
import { filledOver } from './filling.ts'
import { accountsOver } from './groups/accounts.ts'
import { agentsOver } from './groups/agents.ts'
import { alertRulesOver } from './groups/alert-rules.ts'
import { apiKeysOver } from './groups/api-keys.ts'
import { audioCacheOver } from './groups/audio-cache.ts'
import { auditOver } from './groups/audit.ts'
import { branchesOver } from './groups/branches.ts'
import { connectorsOver } from './groups/connectors.ts'
import { countersOver } from './groups/counters.ts'
import { deploymentsOver } from './groups/deployments.ts'
import { perQueue } from './groups/desk-queues.ts'
import { deskRostersOver } from './groups/desk-rosters.ts'
import { deskSeatsOver } from './groups/desk-seats.ts'
import { numberPoolOver } from './groups/number-pool.ts'
import { outboundCallsOver } from './groups/outbound-calls.ts'
import { phoneNumbersOver } from './groups/phone-numbers.ts'
import { realTimeConfigsOver } from './groups/real-time-configs.ts'
import { revisionsOver } from './groups/revisions.ts'
import { rolloutsOver } from './groups/rollouts.ts'
import { savedViewsOver } from './groups/saved-views.ts'
import { sharedRepliesOver } from './groups/shared-replies.ts'
import { testRunsOver } from './groups/test-runs.ts'
import { textPairsOver } from './groups/text-pairs.ts'
import { tokenKeysOver } from './groups/token-keys.ts'
import { voicesOver } from './groups/voices.ts'
import { webhookDeliveriesOver } from './groups/webhook-deliveries.ts'
import { webhookEndpointsOver } from './groups/webhook-endpoints.ts'
import { guarded } from './guarded.ts'
import { DESK_QUEUE, QUEUE_ASSIGNMENT } from './kinds.ts'
import { createUnderWay } from './under-way.ts'

/**
 * Returns a whole store over documents. Its kinds are `ALL_KINDS`. `close` closes the database, and is called once no
 * call is in progress.
 */
export function storeOver(
  documents: Documents,
  ports: ProcessPorts,
  close: () => Promise<void>,
): CopyableStore {
  const filled = ports.clock && filledOver(documents, ALL_KINDS, ports.clock)
  const over = guarded(filled?.documents ?? documents)
  const underWay = createUnderWay()
  const numbers = numbersOf(ports)
  const packing = packingOver(over, underWay.watched, ports.inChunk)
  const { watched } = underWay
  return {
    agents: {
      ...watched(agentsOver(over)),
      branches: watched(branchesOver(over)),
      revisions: watched(revisionsOver(over)),
      deployments: watched(deploymentsOver(over)),
      rollouts: watched(rolloutsOver(over)),
      realTimeConfigs: watched(realTimeConfigsOver(over)),
      testRuns: watched(testRunsOver(over)),
    },
    access: {
      accounts: watched(accountsOver(over)),
      apiKeys: watched(apiKeysOver(over)),
      connectors: watched(connectorsOver(over)),
      tokenKeys: watched(tokenKeysOver(over)),
      phoneNumbers: watched(phoneNumbersOver(over)),
      numberPool: watched(numberPoolOver(over)),
      voices: watched(voicesOver(over)),
      audioCache: watched(audioCacheOver(over)),
      deskSeats: watched(deskSeatsOver(over)),
      deskQueues: watched(perQueue(DESK_QUEUE, over)),
      savedViews: watched(savedViewsOver(over)),
      queueAssignments: watched(perQueue(QUEUE_ASSIGNMENT, over)),
      deskRosters: watched(deskRostersOver(over)),
      sharedReplies: watched(sharedRepliesOver(over)),
    },
    alerts: { rules: watched(alertRulesOver(over)), counters: watched(countersOver(over)) },
    audit: watched(auditOver(over)),
    webhooks: {
      endpoints: watched(webhookEndpointsOver(over)),
      deliveries: watched(webhookDeliveriesOver(over)),
    },
    conversations: conversationsOver(
      over,
      underWay,
      { numbers, packing },
      { outboundCalls: watched(outboundCallsOver(over)), textPairs: watched(textPairsOver(over)) },
    ),
    copies: watched(copiesOver(over, numbers, packing)),
    async close() {
      const done = underWay.close()
      // Closing waits for calls in progress, so those that wait for a list must be rejected first.
      await filled?.close()
      await done
      await close()
    },
  }
}
