import type { Migration } from '../migrate.ts'
import { initial } from './0001-initial.ts'
import { deletedAgents } from './0002-deleted-agents.ts'
import { waitingLines } from './0003-waiting-lines.ts'
import { removals } from './0004-removals.ts'
import { realTimeConfig } from './0005-real-time-config.ts'
import { webhooks } from './0006-webhooks.ts'
import { search } from './0007-search.ts'
import { intervalChunks } from './0008-interval-chunks.ts'
import { credentials } from './0009-credentials.ts'
import { testRuns } from './0010-test-runs.ts'
import { auditLog } from './0011-audit-log.ts'
import { turnVectors } from './0012-turn-vectors.ts'
import { listOrders } from './0013-list-orders.ts'
import { eventAnchors } from './0014-event-anchors.ts'
import { deletedIds } from './0015-deleted-ids.ts'
import { claims } from './0016-claims.ts'
import { webhookEndpointShape } from './0017-webhook-endpoint-shape.ts'
import { words } from './0018-words.ts'
import { listedDebugChats } from './0019-listed-debug-chats.ts'
import { handoffPlaces } from './0020-handoff-places.ts'
import { telephonyConnectors } from './0021-telephony-connectors.ts'
import { contentBytes } from './0022-content-bytes.ts'
import { removedEvents } from './0023-removed-events.ts'
import { conversationHeads } from './0024-conversation-heads.ts'
import { indexedTurns } from './0025-indexed-turns.ts'
import { contextKeys } from './0026-context-keys.ts'
import { alerts } from './0027-alerts.ts'
import { phoneNumbers } from './0028-phone-numbers.ts'
import { textPairs } from './0029-text-pairs.ts'
import { sharedIds } from './0030-shared-ids.ts'
import { replays } from './0031-replays.ts'
import { messageKeys } from './0032-message-keys.ts'
import { pooledNumbers } from './0033-pooled-numbers.ts'
import { outboundCalls } from './0034-outbound-calls.ts'
import { voices } from './0035-voices.ts'
import { cachedAudio } from './0036-cached-audio.ts'
import { webhookExchanges } from './0037-webhook-exchanges.ts'

/** Every migration in its order. A released one never changes; what is to change becomes the next one. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  deletedAgents,
  waitingLines,
  removals,
  realTimeConfig,
  webhooks,
  search,
  intervalChunks,
  credentials,
  testRuns,
  auditLog,
  turnVectors,
  listOrders,
  eventAnchors,
  deletedIds,
  claims,
  webhookEndpointShape,
  words,
  listedDebugChats,
  handoffPlaces,
  telephonyConnectors,
  contentBytes,
  removedEvents,
  conversationHeads,
  indexedTurns,
  contextKeys,
  alerts,
  phoneNumbers,
  textPairs,
  sharedIds,
  replays,
  messageKeys,
  pooledNumbers,
  outboundCalls,
  voices,
  cachedAudio,
  webhookExchanges,
]
