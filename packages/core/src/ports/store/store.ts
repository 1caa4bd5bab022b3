import type { AccountStore } from './accounts.ts'
import type { AgentStore } from './agents.ts'
import type { AlertRuleStore } from './alert-rules.ts'
import type { ApiKeyStore } from './api-keys.ts'
import type { AudioCacheStore } from './audio-cache.ts'
import type { AuditStore } from './audit.ts'
import type { ConnectorStore } from './connectors.ts'
import type { ConversationStore } from './conversations.ts'
import type { CounterStore } from './counters.ts'
import type { DeskQueueStore, QueueAssignmentStore } from './desk-queues.ts'
import type { DeskRosterStore } from './desk-rosters.ts'
import type { DeskSeatStore } from './desk-seats.ts'
import type { NumberPoolStore } from './number-pool.ts'
import type { PhoneNumberStore } from './phone-numbers.ts'
import type { SavedViewStore } from './saved-views.ts'
import type { SharedReplyStore } from './shared-replies.ts'
import type { StoreClock } from './store-clock.ts'
import type { TokenKeyStore } from './token-keys.ts'
import type { VoiceStore } from './voices.ts'
import type { WebhookDeliveryStore } from './webhook-deliveries.ts'
import type { WebhookEndpointStore } from './webhook-endpoints.ts'

/**
 * Accounts and credentials, phone numbers, which go with their connectors, numbers that are reserved, voices, what
 * agents have said, who is at the desk, who is away there, the hours of queues and how their visitors are
 * assigned, the replies that live agents share, and saved views.
 */
export interface AccessStore {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly connectors: ConnectorStore
  readonly tokenKeys: TokenKeyStore
  readonly phoneNumbers: PhoneNumberStore
  readonly numberPool: NumberPoolStore
  readonly voices: VoiceStore
  readonly audioCache: AudioCacheStore
  readonly deskSeats: DeskSeatStore
  readonly deskQueues: DeskQueueStore
  readonly savedViews: SavedViewStore
  readonly queueAssignments: QueueAssignmentStore
  readonly deskRosters: DeskRosterStore
  readonly sharedReplies: SharedReplyStore
}

/** Webhook endpoints and their deliveries. Deleting an endpoint deletes its deliveries. */
export interface WebhookStore {
  readonly endpoints: WebhookEndpointStore
  readonly deliveries: WebhookDeliveryStore
}

/** Alert rules, and the counters by which they are evaluated. Deleting an agent deletes its own of both. */
export interface AlertStore {
  readonly rules: AlertRuleStore
  readonly counters: CounterStore
}

/**
 * All parts of the platform's storage. They share no transaction, with one exception: a write that takes an `outbox`
 * stores its audit entry and webhook events in the same transaction (`Outbox`).
 */
export interface Store {
  readonly agents: AgentStore
  readonly conversations: ConversationStore
  readonly access: AccessStore
  readonly webhooks: WebhookStore
  readonly alerts: AlertStore
  readonly audit: AuditStore
  /**
   * The clock of platforms over this store that have no `clock` of their own. With it they agree on leases and
   * silences, whatever their machines' clocks say (TM12).
   *
   * @default each uses the clock of its process
   */
  readonly clock?: StoreClock
  /**
   * Calls the listener after each commit with its number of writes, as long as the store is open (PM1). It is called
   * at once and does not throw.
   *
   * @default a store that groups no writes has nothing to report
   */
  onCommit?(listener: (writes: number) => void): void
  /** Waits for writes in progress, then releases files and connections. Later calls reject. */
  close(): Promise<void>
}
