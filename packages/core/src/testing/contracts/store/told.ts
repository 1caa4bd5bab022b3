import type { Store } from '../../../ports/store/store.ts'
import { CONVERSATIONS } from '../../filled-store.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { conversationSnapshot } from './conversation-snapshot.ts'

/** Returns the parts of a store that a platform reads. */
export async function tellOf({ access, agents, alerts, audit, conversations, webhooks }: Store) {
  return {
    accounts: await access.accounts.list({}, 100),
    keys: await access.apiKeys.list({}, 100),
    connectors: [
      await access.connectors.list({}, 100),
      await access.connectors.listTelephony(AGENT, {}, 100),
      await access.phoneNumbers.list(AGENT, {}, 100),
      await access.numberPool.list(AGENT, {}, 100),
      await access.voices.list(ACCOUNT),
      await access.sharedReplies.list(ACCOUNT),
      await access.deskQueues.list(ACCOUNT),
      await access.savedViews.list(ACCOUNT),
      await access.queueAssignments.list(ACCOUNT),
      await access.audioCache.list(AGENT, { order: 'cachedAt', descending: false, offset: 0, limit: 100 }),
      await access.audioCache.read(AGENT, '1'),
      await access.audioCache.read(AGENT, '2'),
    ],
    tokenKeys: [await access.tokenKeys.list(), await access.tokenKeys.secret('cursor', 'another')],
    agent: await agentSnapshot(agents, AGENT),
    gone: await agents.findDeleted(ACCOUNT, 'PROJECT-GONE'),
    conversations: await Promise.all(CONVERSATIONS.map(id => conversationSnapshot(conversations, id))),
    events: await Promise.all(
      ['event-1', 'event-2', 'event-3'].map(id => conversations.externalEvents.find(id)),
    ),
    endpoints: await webhooks.endpoints.list(ACCOUNT, {}, 100),
    deliveries: [
      await webhooks.deliveries.list({ endpointId: 'ENDPOINT-1' }, 100),
      await webhooks.deliveries.find('ENDPOINT-1', 'EVENT-1'),
      await webhooks.deliveries.find('ENDPOINT-1', 'EVENT-2'),
    ],
    rules: await alerts.rules.list(ACCOUNT),
    counters: await Promise.all(
      (['turn_latency', 'api_errors'] as const).flatMap(name => [
        alerts.counters.sum({ accountId: ACCOUNT, name, from: 0 }),
        alerts.counters.sum({ accountId: ACCOUNT, agentId: AGENT, name, from: START + 1 }),
      ]),
    ),
    pairs: await Promise.all(
      ['+12025550111', '+12025550112', '+12025550113'].map(theirs =>
        conversations.textPairs.find('+12025550100', theirs),
      ),
    ),
    notes: await conversations.notes.list('AS-1', 0, 9),
    summary: await conversations.summaries.find('AS-1.1'),
    files: [await conversations.files.find('FILE-1'), await conversations.files.find('FILE-2')],
    looseFiles: await conversations.files.nextDue(),
    calls: await conversations.outboundCalls.due(START + 90_000, 9),
    audit: await audit.list({}, 100),
  }
}
