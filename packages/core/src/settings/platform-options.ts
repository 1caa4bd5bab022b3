import type { AgentFunction, FunctionSource } from '../ports/agent-function.ts'
import type { AgentRuntime } from '../ports/agent-runtime.ts'
import type { Bus } from '../ports/bus.ts'
import type { CallProvider } from '../ports/call-provider.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeskAssistant } from '../ports/desk-assistant.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Files } from '../ports/files.ts'
import type { Guard } from '../ports/guard.ts'
import type { Ids } from '../ports/ids.ts'
import type { LiveAgentCallbacks } from '../ports/live-agent-callbacks.ts'
import type { LiveAgents } from '../ports/live-agents.ts'
import type { Log } from '../ports/log.ts'
import type { Recordings } from '../ports/recordings.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { ReplayJudge } from '../ports/replay-judge.ts'
import type { SharedLimits } from '../ports/shared-limits.ts'
import type { SpeechProvider } from '../ports/speech-provider.ts'
import type { Store } from '../ports/store/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { TestJudge, TestVisitor } from '../ports/test-visitor.ts'
import type { TextCarrier } from '../ports/text-carrier.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { SettingsInput } from './settings-input.ts'

/** The options of a host: the store, the runtime that answers, and settings that differ from the defaults. */
export interface PlatformOptions extends SettingsInput {
  /** The store of all data, for example `createSqliteStore({ filename })`. */
  readonly store: Store
  /** The runtime that answers visitors, for example `createRetrievalRuntime()`. */
  readonly runtime: AgentRuntime
  /** Functions that agents may call, by name, each made by `defineFunction`. @default none */
  readonly functions?: Readonly<Record<string, AgentFunction>>
  /**
   * Functions that come and go, for example the tools of MCP servers of `@colloquy/integrations/mcp`; one source, or
   * several (FN50). @default none
   */
  readonly functionSources?: FunctionSource | readonly FunctionSource[]
  /** The system in which humans answer; it reports through the callbacks it is given. @default the built-in desk */
  readonly liveAgents?: (callbacks: LiveAgentCallbacks) => LiveAgents
  /**
   * The sender of webhooks, for example that of `@colloquy/integrations/outbound-http`. Without one, endpoints can be
   * managed and their events are kept, but this process sends none.
   * @default none
   */
  readonly webhookSender?: WebhookSender
  /**
   * The embedder: with it, records can be searched for turns that mean about the same as a query
   * (`query_type=semantic`). Turns are embedded in the background. May be that of the retrieval runtime.
   * @default none
   */
  readonly embedder?: Embedder
  /**
   * Sends texts, for example that of `@colloquy/integrations/twilio`. Without one, texts are taken in, and opening a
   * session is `NOT_IMPLEMENTED`.
   * @default none
   */
  readonly textCarrier?: TextCarrier
  /** Makes the calls of agents. Without one, asking for a call is `NOT_IMPLEMENTED`. @default none */
  readonly callProvider?: CallProvider
  /**
   * Speaks, for example that of `@colloquy/runtime-ai-sdk/speech`. Without one, libraries hold the voices that accounts
   * have added, and what would have to be said is `NOT_IMPLEMENTED`.
   * @default none
   */
  readonly speechProvider?: SpeechProvider
  /**
   * Takes private parts out of the words of visitors before anything is done with them: `createPatternRedactor()`, or
   * one of your own.
   * @default none: words are kept as they are
   */
  readonly redactor?: Redactor
  /**
   * Judges messages of visitors before the agent reads them, and replies before they are stored and shown:
   * `createPatternGuard({ … })`, `createAiSdkGuard` of `@colloquy/runtime-ai-sdk`, or one of your own (GU1).
   * @default none: nothing is judged, and replies stream
   */
  readonly guard?: Guard
  /**
   * Plays visitors who talk back in test cases, for example `createAiSdkVisitor` of `@colloquy/runtime-ai-sdk` (TE80).
   * @default `createPlainVisitor()`, which needs no language model
   */
  readonly testVisitor?: TestVisitor
  /**
   * Judges talks of test cases by sentences, for example `createAiSdkJudge` of `@colloquy/runtime-ai-sdk` (TE83).
   * @default none: a test case with such sentences has errored
   */
  readonly testJudge?: TestJudge
  /**
   * Compares turns of replays that rules call `changed` or `reworded`: `createMeaningJudge({ embedder })`,
   * `createAiSdkReplayJudge` of `@colloquy/runtime-ai-sdk`, or one of your own (TE91).
   * @default none: rules alone decide
   */
  readonly replayJudge?: ReplayJudge
  /**
   * Helps live agents at the built-in desk, for example `createAiSdkAssistant` of `@colloquy/runtime-ai-sdk`: with it,
   * conversations are summarized at the handoff, and replies are suggested (DK645, DK650).
   * @default none
   */
  readonly deskAssistant?: DeskAssistant
  /** Recordings of conversations (RC57, RC610). @default none: there is nothing to listen to */
  readonly recordings?: Recordings
  /**
   * The bytes of pictures and files, for example `createFolderFiles({ folder })` of `@colloquy/integrations/files`.
   * With it visitors and live agents send files, within `fileRules` (FI1). @default none: no files are sent
   */
  readonly files?: Files
  /**
   * Whether this process wakes conversations whose time has come, announces positions in the queue, sends webhooks and
   * embeds turns. False for a tool that only administers a store, beside the servers or without any.
   * @default true
   */
  readonly workers?: boolean
  /** Carries notices between processes that share the store. @default within this process */
  readonly bus?: Bus
  /**
   * Counts rates, failed authentications and the connections of sessions for all processes that share it (LI10), for
   * example `createRedisLimits({ url })` of `@colloquy/brokers/redis`. @default each process counts for itself
   */
  readonly sharedLimits?: SharedLimits
  /** Warnings and errors are for those who run the host. @default they go to the console; `silentLog` keeps quiet */
  readonly log?: Log
  /**
   * The receivers of spans and figures (OB10 and OB11): those of `@colloquy/integrations/opentelemetry` and
   * `@colloquy/integrations/prometheus`, or others. One, or several.
   * @default none
   */
  readonly telemetry?: Telemetry | readonly Telemetry[]
  /** The clock and its timers. @default the store's clock where it has one (TM12), else the process's */
  readonly clock?: Clock
  /** The source of ids and secrets. @default the process's random numbers */
  readonly ids?: Ids
}
