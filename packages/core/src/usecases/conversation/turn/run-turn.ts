import type { TurnFailure, TurnReply } from '../../../domain/conversation/command.ts'
import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { ConversationEvent } from '../../../domain/conversation/event.ts'
import { FAILURE_TEXT } from '../../../domain/conversation/pending-inputs.ts'
import { conversationFacts } from '../../../domain/conversation/platform-event.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import { checkedPart } from '../../../domain/conversation/runtime-part.ts'
import { isSilence, spokenOf } from '../../../domain/conversation/spoken.ts'
import { type ActiveTurn, type ConversationState, isGenuine } from '../../../domain/conversation/state.ts'
import type { BranchId, DeploymentId } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/lapse.ts'
import { thrownDetails, thrownMessage } from '../../../domain/thrown.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentContent, RuntimePart } from '../../../ports/agent-runtime.ts'
import type { Timeouts } from '../../../shared/timeouts.ts'
import { failureCode } from '../../observing/failure-code.ts'
import { traceModel } from '../../observing/trace-model.ts'
import type { Ephemeral } from '../../room/ephemeral.ts'
import { whileBusy } from '../../shared/while-busy.ts'
import type { Engine } from '../engine/engine.ts'
import { CallOff } from './call-off.ts'
import { describeTurn, type Speaking, type TurnSurroundings } from './describe-turn.ts'
import { errorText } from './error-text.ts'
import type { RealTimeVariables } from './real-time-variables.ts'
import { createReplyStream, type ReplyStream } from './reply-stream.ts'
import { takeParts } from './take-parts.ts'
import { tracedTurn } from './traced-turn.ts'
import { TurnCollector } from './turn-collector.ts'
import { guardOf, type TurnGuard } from './turn-guard.ts'
import { inputAtHand, type LoadedInput, readInput } from './turn-input.ts'
import type { InputFacts } from './turn-record.ts'

/** The content that a turn of a conversation runs. */
export interface TurnContent {
  /** Returns content that is in memory. Null if it has to be read. */
  atHand(state: ConversationState, deploymentId: DeploymentId | BranchId): AgentContent | null
  read(state: ConversationState, deploymentId: DeploymentId | BranchId): Promise<AgentContent>
}

/** The dependencies of running a turn. */
export interface TurnRunner extends TurnSurroundings {
  readonly turnContent: TurnContent
  readonly realTimeVariables: RealTimeVariables
  readonly engine: Pick<Engine, 'execute'>
  readonly ephemeral: Pick<Ephemeral, 'beginStream' | 'chunk' | 'endStream'>
  /** The timeouts of `Settings.turnDeadline`. */
  readonly deadlines: Timeouts
  /** The timeouts after which leases are renewed. */
  readonly renewals: Timeouts
  /**
   * Reports whether the process shuts down. A turn that is aborted then does not fail: another process runs it again.
   */
  dropResult(): boolean
}

/** A turn to run. `recent` are events already in memory, which need not be read again. */
export interface DueTurn {
  readonly state: ConversationState
  readonly turn: ActiveTurn
  readonly recent: readonly ConversationEvent[]
}

/**
 * Runs a turn: calls the runtime, forwards streamed text, renews the lease and passes the reply, or its stated failure,
 * to the machine. Never throws. The machine refuses a result whose lease was lost; it is dropped here.
 */
export function runTurn(runner: TurnRunner, due: DueTurn, callOff: CallOff): Promise<unknown> {
  const begin = runner.context.telemetry?.begin ?? null
  const attempt = new Attempt(runner, due, callOff)
  return begin === null ? attempt.run() : tracedTurn(begin, due, () => attempt.run())
}

/** Replaces the platform's own errors, which are reported only to the host. */
const NOT_BEGUN = 'The turn could not begin.'

const CALLED_OFF = new PlatformError('AGENT_FAILED', 'The turn was called off.')
const OVER = new PlatformError('AGENT_FAILED', 'The turn is over.')

const NONE: readonly never[] = []

/**
 * One attempt at a turn. A class, so that a waiting turn holds one object and not a closure for each possible outcome.
 * Its inputs are released once they have served: hundreds of turns wait for their commit at a time.
 */
class Attempt implements Speaking {
  readonly collector: TurnCollector
  readonly #runner: TurnRunner
  readonly #state: ConversationState
  readonly #turn: ActiveTurn
  readonly #callOff: CallOff
  readonly #began: Instant
  readonly #guard: TurnGuard | null
  #recent: DueTurn['recent']
  #loaded: LoadedInput | null = null
  #stream: ReplyStream | null = null
  /** True once the runtime was called: later errors are the runtime's, and their messages may be shown. */
  #asked = false
  #refresh: (() => void) | null = null
  /** Milliseconds from its start to the first text; null before. */
  #firstText: number | null = null
  /** Notifies functions of the host that the turn has ended. Null before the first of them is called. */
  #end: CallOff | null = null
  #over = false

  constructor(runner: TurnRunner, { state, turn, recent }: DueTurn, callOff: CallOff) {
    const { clock, settings } = runner.context
    this.#runner = runner
    this.#state = state
    this.#turn = turn
    this.#recent = recent
    this.#callOff = callOff
    this.#began = { now: clock.now(), monotonic: clock.monotonic() }
    this.collector = new TurnCollector(
      state,
      settings.limits,
      settings.turnRecording[state.environment] === 'full',
    )
    this.#guard = guardOf(runner.context, { state, callOff }, this.collector)
  }

  /** Resolves to the code of what it failed with; null if the turn was answered, or does not count. */
  async run(): Promise<string | null> {
    const { deadlines, dropResult, engine, ephemeral } = this.#runner
    const [state, turn] = [this.#state, this.#turn]
    const stopDeadline = deadlines.start(() => this.#callOff.abort(this.#late()))
    const stopRenewing = this.#keepAlive()
    try {
      const reply = await this.#answer()
      const { id: turnId, generation } = turn
      const command = {
        type: 'turn_completed',
        turnId,
        generation,
        reply: reply.said,
        ...this.#guard?.kept,
      } as const
      const outcome = await this.whileBusy(() => engine.execute(state.id, command))
      if (outcome.status === 'done') this.#tellCompleted(reply.latency)
      return null
    } catch (error) {
      // Cancelled, or run by another process: this result does not count.
      const calledOff = this.#callOff.done && !(this.#callOff.reason instanceof PlatformError)
      return calledOff || dropResult() ? null : await this.#stateFailure(error)
    } finally {
      stopDeadline()
      stopRenewing()
      this.#stream?.stop()
      ephemeral.endStream(state.id, turn)
    }
  }

  whileBusy<Result>(act: () => Promise<Result>): Promise<Result> {
    const { context, dropResult } = this.#runner
    return whileBusy(context.clock, () => this.#callOff.done || dropResult(), act)
  }

  say(part: RuntimePart): void {
    const { clock, telemetry } = this.#runner.context
    this.collector.add(part)
    if (part.type === 'text') {
      if (this.#guard === null) this.#show(part.text)
      return
    }
    if (part.type === 'llm_request' && telemetry?.begin) traceModel(telemetry.begin, clock, part.request)
    this.#refresh?.()
  }

  #show(text: string): void {
    if (text !== '') this.#firstText ??= this.#runner.context.clock.monotonic() - this.#began.monotonic
    this.#stream?.push(text)
  }

  /** Aborts when the turn is called off or cut short, and when it is over. */
  signal(): AbortSignal {
    if (this.#end === null) {
      const end = new CallOff()
      const callOff = this.#callOff
      if (this.#over) end.abort(OVER)
      callOff.listen(() => end.abort(callOff.reason instanceof PlatformError ? callOff.reason : CALLED_OFF))
      this.#end = end
    }
    return this.#end.signal
  }

  /** Calls the runtime. */
  async #answer(): Promise<{ readonly said: TurnReply; readonly latency: number }> {
    const { context, ephemeral, realTimeVariables, turnContent } = this.#runner
    const [state, turn] = [this.#state, this.#turn]
    const loaded = inputAtHand(turn, this.#recent) ?? (await this.whileBusy(() => this.#readInput()))
    this.#loaded = loaded
    this.#recent = NONE
    // Blank input is silence, unless the runtime hears more in it (TC12).
    const isBlank = turn.input.type === 'message' && loaded.text.trim() === ''
    const asks = state.kind === 'chat' || state.kind === 'text'
    if (isBlank && (asks || isSilence(loaded.custom)))
      this.collector.add({ type: 'classification', silence: true })
    const messageId = context.ids.uuid()
    const stream = state.streaming ? createReplyStream(context, ephemeral, { state, turn, messageId }) : null
    this.#stream = stream
    if (stream !== null) ephemeral.beginStream(state, turn)
    try {
      const { agentId, deploymentId, environment } = state
      if (deploymentId === null)
        throw new PlatformError('INTERNAL', 'The conversation has no deployment to run.')
      const content =
        turnContent.atHand(state, deploymentId) ??
        (await this.whileBusy(() => turnContent.read(state, deploymentId)))
      const realTimeConfig = await this.whileBusy(() => realTimeVariables(agentId, environment))
      this.collector.reads(realTimeConfig)
      const asked = this.#guard === null ? loaded : await this.#guard.input(loaded, content)
      if (asked !== null) {
        const read = { state, turn, loaded: asked, deploymentId, content, realTimeConfig }
        const described = describeTurn(this.#runner, read, this)
        this.#refresh = described.refresh
        this.#asked = true
        const parts = context.runtime.respond(described.turn, this.#callOff.signal)
        const { breather } = context
        await takeParts(parts, { callOff: this.#callOff, breather }, part => this.say(checkedPart(part)))
      }
    } finally {
      // Before the turn is recorded: calls that were not awaited belong to it, too.
      this.#over = true
      this.#refresh = null
      this.#end?.abort(OVER)
    }
    if (this.#guard !== null) this.#show(await this.#guard.reply())
    const facts = this.#facts(loaded)
    const said = this.collector.reply({ messageId, chunks: stream?.finish() ?? null, ...facts })
    return { said, latency: facts.latency }
  }

  #readInput(): Promise<LoadedInput> {
    return readInput(this.#runner.context.store.conversations, this.#state, this.#turn)
  }

  get #holder() {
    const { id: turnId, generation } = this.#turn
    return { turnId, generation }
  }

  #late(): PlatformError {
    const { turnDeadline } = this.#runner.context.settings
    return new PlatformError('AGENT_FAILED', `The turn took longer than ${turnDeadline} ms.`)
  }

  /** Renews the lease while the turn runs. Calls the turn off when the lease is lost (RN20). */
  #keepAlive(): () => void {
    const { context, engine, renewals } = this.#runner
    const renew = (): void => {
      stop = renewals.start(renew)
      engine
        .execute(this.#state.id, { type: 'turn_alive', ...this.#holder })
        .then(({ status }) => {
          if (status !== 'done') this.#callOff.abort()
        })
        .catch(error => context.settings.onError(error, 'turn lease'))
    }
    let stop = renewals.start(renew)
    return () => stop()
  }

  /**
   * Returns the facts of the input. The time before the attempt is by the wall clock, that of the attempt by the
   * monotonic clock.
   */
  #facts({ custom, receivedAt, text }: LoadedInput): InputFacts {
    const { clock } = this.#runner.context
    const spoken = spokenOf(custom)
    const waited = Math.max(this.#began.now - receivedAt, 0)
    return {
      inputType: this.#turn.input.type,
      userInput: text,
      userInputAt: receivedAt,
      agentResponseAt: Math.max(clock.now(), receivedAt),
      latency: waited + clock.monotonic() - this.#began.monotonic,
      ...(spoken === null ? {} : { spoken }),
    }
  }

  /** @param duration milliseconds from the input to the reply */
  #tellCompleted(duration: number): void {
    const [state, turn] = [this.#state, this.#turn]
    if (!isGenuine(state.kind)) return
    const event = { turnId: turn.id, duration, firstText: this.#firstText, ...conversationFacts(state) }
    this.#runner.context.observers.tell({ type: 'turn.completed', event })
  }

  /** States that it has failed; resolves to the code of what it failed with, null if it does not count. */
  async #stateFailure(error: unknown): Promise<string | null> {
    const { context, engine } = this.#runner
    const [state, turn] = [this.#state, this.#turn]
    const { clock, log, observers, settings } = context
    const failure = this.#failure
    const custom = this.#loaded?.custom ?? null
    const kept = this.#recordOf(failure, error)
    const stated = await engine
      .execute(state.id, {
        type: 'turn_failed',
        ...this.#holder,
        ...{ failure, custom, turn: kept },
        ...this.#guard?.kept,
      })
      // The lease runs out and another attempt states the failure.
      .catch(fault => settings.onError(fault, 'stating a failed turn'))
    // Another process runs it: the attempt of this one, which may have stood still, is no failure (RN20).
    if (stated?.status === 'refused') return null
    // A failure that could not be stored is not final. Another attempt may succeed.
    if (stated !== undefined)
      log.warn('A turn failed', {
        conversation: publicId(state.id),
        turn: turn.id,
        ...toldOf(error),
      })
    settings.onError(error, 'turn')
    if (stated?.status === 'done' && isGenuine(state.kind)) {
      const duration = Math.max(clock.monotonic() - this.#began.monotonic, 0)
      const event = { turnId: turn.id, failure, duration, ...conversationFacts(state) }
      observers.tell({ type: 'turn.failed', event })
    }
    return failureCode(error)
  }

  get #failure(): TurnFailure {
    if (this.#stream?.started === true) return 'stream'
    return this.#turn.input.type === 'greeting' ? 'start' : 'reply'
  }

  /** Returns the record of a failed turn. Null when not even its input could be read (FN40). */
  #recordOf(failure: TurnFailure, error: unknown): StoredTurn | null {
    if (this.#loaded === null) return null
    const { limits } = this.#runner.context.settings
    const why = errorText(this.#asked || this.#guard?.isAsked ? error : NOT_BEGUN, limits.functionErrorLength)
    return this.collector.failed(this.#facts(this.#loaded), { text: FAILURE_TEXT[failure], error: why })
  }
}

/** Returns an error for the log, with its cause for the operators of the platform. */
function toldOf(error: unknown) {
  const cause =
    error instanceof Error && error.cause !== undefined ? { cause: thrownMessage(error.cause) } : {}
  return { error: thrownDetails(error), ...cause }
}
