import type { Caller } from '../domain/audit/audit.ts'
import type { AgentRuntime } from '../ports/agent-runtime.ts'
import type { CallProvider } from '../ports/call-provider.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeskAssistant } from '../ports/desk-assistant.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Files } from '../ports/files.ts'
import type { Guard } from '../ports/guard.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Notices } from '../ports/notices.ts'
import type { Recordings } from '../ports/recordings.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { ReplayJudge } from '../ports/replay-judge.ts'
import type { GuardedLimits } from '../ports/shared-limits.ts'
import type { SpeechProvider } from '../ports/speech-provider.ts'
import type { Store } from '../ports/store/store.ts'
import type { GuardedTelemetry } from '../ports/telemetry.ts'
import type { TestJudge, TestVisitor } from '../ports/test-visitor.ts'
import type { TextCarrier } from '../ports/text-carrier.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Scheduler } from '../schedule/scheduler.ts'
import type { Settings } from '../settings/settings.ts'
import type { Breather } from '../shared/breather.ts'
import type { Gate } from '../shared/gate.ts'
import type { Line } from '../shared/line.ts'
import type { Limiters } from './access/limiters.ts'
import type { Counting } from './alerts/counting.ts'
import type { CurrentFunctions } from './conversation/functions/current-functions.ts'
import type { Uploads } from './files/uploads.ts'
import type { Observers } from './observing/observers.ts'
import type { LogCache } from './room/log-cache.ts'
import type { Rooms } from './room/rooms.ts'

/** The ports and the host's settings, which every use case receives. */
export interface Context {
  readonly store: Store
  readonly runtime: AgentRuntime
  /** Asked once by each turn. */
  readonly functions: CurrentFunctions
  readonly notices: Notices
  readonly rooms: Rooms
  /** The events that turns have read. */
  readonly logCache: LogCache
  readonly clock: Clock
  readonly ids: Ids
  /** Null: this process sends no webhooks. */
  readonly webhookSender: WebhookSender | null
  /** Null: no texts are sent. */
  readonly textCarrier: TextCarrier | null
  /** Null: no calls are made. */
  readonly callProvider: CallProvider | null
  /** Null: there are no voices but those that accounts have added, and nothing speaks. */
  readonly speechProvider: SpeechProvider | null
  /** Null: no conversation is summarized, and no reply suggested. */
  readonly deskAssistant: DeskAssistant | null
  /** Null: the host keeps no recorded sound. */
  readonly recordings: Recordings | null
  /** Whether the built-in desk takes handoffs, and no live-agent system of the host's. */
  readonly hasDesk: boolean
  /** Null: the words of visitors are kept as they are. */
  readonly redactor: Redactor | null
  /** Null: nothing is judged. */
  readonly guard: Guard | null
  readonly testVisitor: TestVisitor
  /** Null: no test case can have sentences judged. */
  readonly testJudge: TestJudge | null
  /** Null: rules alone compare the turns of a replay. */
  readonly replayJudge: ReplayJudge | null
  /** Null: no files are sent. */
  readonly files: Files | null
  /** Bounds the files that this process receives at a time. */
  readonly uploads: Uploads
  /** Null: there is no semantic search over records. */
  readonly embedder: Embedder | null
  readonly log: Log
  /** Resolves when every line of the log is written that waits for the redactor. */
  written(): Promise<void>
  /** The observers in this process that are notified of events. */
  readonly observers: Observers
  /** Null: nothing is traced and measured. */
  readonly telemetry: GuardedTelemetry | null
  readonly settings: Settings
  /** Null: this process counts for itself. */
  readonly sharedLimits: GuardedLimits | null
  /** The queue for long work, of this platform in this process. */
  readonly line: Line
  /** Yields to others while many conversations have work. */
  readonly breather: Breather
  /** The entry point for the events of visitors, of this platform in this process. */
  readonly gate: Gate
  /** Made of `settings.rateLimits`. */
  readonly limiters: Limiters
  /** Starts everything that happens automatically. */
  readonly scheduler: Scheduler
  /** The counts that alert rules watch. */
  readonly counting: Counting
}

/** The context of a use case that records its caller, in the audit log or as `createdBy`. */
export interface Acting extends Context {
  readonly caller: Caller
}

/** Returns the context of one act. */
export const actingIn = (context: Context, caller: Caller): Acting => ({ ...context, caller })
