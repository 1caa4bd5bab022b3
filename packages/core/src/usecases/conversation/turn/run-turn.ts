import type { TurnFailure } from '../../../domain/conversation/command.ts'
import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { ConversationEvent } from '../../../domain/conversation/event.ts'
import { FAILURE_TEXT } from '../../../domain/conversation/pending-inputs.ts'
import { conversationFacts } from '../../../domain/conversation/platform-event.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import { checkedPart } from '../../../domain/conversation/runtime-part.ts'
import { type ActiveTurn, type ConversationState, isGenuine } from '../../../domain/conversation/state.ts'
import type { Instant } from '../../../domain/lapse.ts'
import { thrownMessage } from '../../../domain/thrown.ts'
import { PlatformError } from '../../../errors.ts'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Timeouts } from '../../../shared/timeouts.ts'
import type { Ephemeral } from '../../feed/ephemeral.ts'
import { failureCode } from '../../observing/failure-code.ts'
import { traceModel } from '../../observing/trace-model.ts'
import { whileBusy } from '../../shared/while-busy.ts'
import type { Engine } from '../engine/engine.ts'
import { CallOff } from './call-off.ts'
import { describeTurn, type Speaking, type TurnSurroundings } from './describe-turn.ts'
import { errorText } from './error-text.ts'
import { createReplyStream, type ReplyStream } from './reply-stream.ts'
import { takeParts } from './take-parts.ts'
import { tracedTurn } from './traced-turn.ts'
import { TurnCollector } from './turn-collector.ts'
import { type LoadedInput, loadInput } from './turn-input.ts'
import type { InputFacts } from './turn-record.ts'

/** What running a turn needs. */
export interface TurnRunner extends TurnSurroundings {
  readonly engine: Pick<Engine, 'execute'>
  readonly ephemeral: Ephemeral
  /** Of `Settings.turnDeadline`. */
  readonly deadlines: Timeouts
  /** Of the time after which a lease is renewed. */
  readonly renewals: Timeouts
  /** True while the process shuts down: a turn that is aborted then does not fail, another process runs it again. */
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
  return begin === null
    ? runAttempt(runner, due, callOff)
    : tracedTurn(begin, due, () => runAttempt(runner, due, callOff))
}

/** Resolves to the code of what it failed with; null where the turn was answered, or does not count. */
async function runAttempt(runner: TurnRunner, due: DueTurn, callOff: CallOff): Promise<string | null> {
  const { state, turn } = due
  const attempt = startAttempt(runner, due, callOff)
  try {
    const reply = await answer(runner, due, callOff, attempt)
    const { id: turnId, generation } = turn
    const outcome = await whileCalledFor(
      runner,
      callOff,
    )(() => runner.engine.execute(state.id, { type: 'turn_completed', turnId, generation, reply }))
    if (outcome.status === 'done') tellCompleted(runner, due, attempt)
    return null
  } catch (error) {
    // Cancelled, or run by another process: this result does not count.
    const calledOff = callOff.done && !(callOff.reason instanceof PlatformError)
    return calledOff || runner.dropResult() ? null : await stateFailure(runner, due, attempt, error)
  } finally {
    attempt.stopDeadline()
    attempt.stopRenewing()
    attempt.stream?.stop()
    runner.ephemeral.endStream(state.id, turn)
  }
}

function startAttempt(runner: TurnRunner, { state, turn }: DueTurn, callOff: CallOff): Attempt {
  const { clock, settings } = runner.context
  const holder = { turnId: turn.id, generation: turn.generation }
  return {
    holder,
    stopDeadline: runner.deadlines.start(() => {
      const late = `The turn took longer than ${settings.turnDeadline} ms.`
      callOff.abort(new PlatformError('AGENT_FAILED', late))
    }),
    stopRenewing: keepAlive(runner, state, holder, callOff),
    began: { now: clock.now(), monotonic: clock.monotonic() },
    stream: null,
    loaded: null,
    asked: false,
    firstText: null,
    duration: 0,
    collector: new TurnCollector(state, settings.limits),
  }
}

function tellCompleted({ context }: TurnRunner, { state, turn }: DueTurn, attempt: Attempt): void {
  if (!isGenuine(state.kind)) return
  const { duration, firstText } = attempt
  const event = { turnId: turn.id, duration, firstText, ...conversationFacts(state) }
  context.observers.tell({ type: 'turn.completed', event })
}

/** States that the attempt has failed; resolves to the code of what it failed with, null where it does not count. */
async function stateFailure(
  runner: TurnRunner,
  { state, turn }: DueTurn,
  attempt: Attempt,
  error: unknown,
): Promise<string | null> {
  const { clock, log, observers, settings } = runner.context
  const failure = failureOf(turn, attempt.stream)
  const custom = attempt.loaded?.custom ?? null
  const kept = recordOf(runner, turn, attempt, { failure, error })
  const stated = await runner.engine
    .execute(state.id, { type: 'turn_failed', ...attempt.holder, failure, custom, turn: kept })
    // The lease runs out and another attempt states the failure.
    .catch(fault => settings.onError(fault, 'turn'))
  // Another process runs it: the attempt of this one, which may have stood still, is no failure (EN13).
  if (stated?.status === 'refused') return null
  // What could not be stated has not failed yet: there may be an attempt that succeeds.
  if (stated !== undefined)
    log.warn('A turn failed', {
      conversation: publicId(state.id),
      turn: turn.id,
      ...toldOf(error),
    })
  settings.onError(error, 'turn')
  if (stated?.status === 'done' && isGenuine(state.kind)) {
    const duration = Math.max(clock.monotonic() - attempt.began.monotonic, 0)
    const event = { turnId: turn.id, failure, duration, ...conversationFacts(state) }
    observers.tell({ type: 'turn.failed', event })
  }
  return failureCode(error)
}

/** An error for the log, with its cause for the operators of the platform. */
function toldOf(error: unknown) {
  const cause =
    error instanceof Error && error.cause !== undefined ? { cause: thrownMessage(error.cause) } : {}
  return { error: thrownMessage(error), ...cause }
}

/** An attempt at a turn, and what it reports when it fails. */
interface Attempt {
  readonly holder: Pick<ActiveTurn, 'generation'> & { readonly turnId: ActiveTurn['id'] }
  readonly stopDeadline: () => void
  readonly stopRenewing: () => void
  readonly began: Instant
  stream: ReplyStream | null
  loaded: LoadedInput | null
  /** True once the runtime was called: later errors are the runtime's, and their messages may be shown. */
  asked: boolean
  /** Milliseconds from its start to the first text; null before. */
  firstText: number | null
  /** Milliseconds from the input to the reply. */
  duration: number
  readonly collector: TurnCollector
}

function failureOf(turn: ActiveTurn, stream: ReplyStream | null): TurnFailure {
  if (stream?.started === true) return 'stream'
  return turn.input.type === 'greeting' ? 'start' : 'reply'
}

/** Replaces the platform's own errors, which are reported only to the host. */
const NOT_BEGUN = 'The turn could not begin.'

/** The record of a failed turn; null when not even its input could be read (FN40). */
function recordOf(
  { context }: TurnRunner,
  turn: ActiveTurn,
  { began, loaded, asked, collector }: Attempt,
  { failure, error }: { readonly failure: TurnFailure; readonly error: unknown },
): StoredTurn | null {
  if (loaded === null) return null
  const { clock, settings } = context
  const why = errorText(asked ? error : NOT_BEGUN, settings.limits.functionErrorLength)
  return collector.failed(factsOf(turn, loaded, began, clock), { text: FAILURE_TEXT[failure], error: why })
}

/** The time before the attempt by the wall clock, and the attempt itself by the monotonic clock. */
function factsOf(turn: ActiveTurn, loaded: LoadedInput, began: Instant, clock: Clock): InputFacts {
  const { receivedAt } = loaded
  const waited = Math.max(began.now - receivedAt, 0)
  return {
    inputType: turn.input.type,
    userInput: loaded.text,
    userInputAt: receivedAt,
    agentResponseAt: Math.max(clock.now(), receivedAt),
    latency: waited + clock.monotonic() - began.monotonic,
  }
}

/** Renews the lease while the turn runs. Calls the turn off when the lease is lost (EN13). */
function keepAlive(
  runner: TurnRunner,
  state: ConversationState,
  holder: Attempt['holder'],
  callOff: CallOff,
): () => void {
  let stop = runner.renewals.start(renew)
  function renew(): void {
    stop = runner.renewals.start(renew)
    runner.engine
      .execute(state.id, { type: 'turn_alive', ...holder })
      .then(({ status }) => {
        if (status !== 'done') callOff.abort()
      })
      .catch(error => runner.context.settings.onError(error, 'turn lease'))
  }
  return () => stop()
}

async function answer(
  runner: TurnRunner,
  { state, turn, recent }: DueTurn,
  callOff: CallOff,
  attempt: Attempt,
) {
  const { context, ephemeral } = runner
  const { clock, ids, store, telemetry } = context
  const { collector } = attempt
  const busy = whileCalledFor(runner, callOff)
  const loaded = await busy(() => loadInput(store.conversations, state, turn, recent))
  attempt.loaded = loaded
  // What is blank is silence, unless the runtime hears more in it (TC11).
  const asks = state.kind === 'chat' || state.kind === 'text'
  if (asks && turn.input.type === 'message' && loaded.text.trim() === '')
    collector.add({ type: 'classification', silence: true })
  const messageId = ids.uuid()
  const stream = state.streaming ? createReplyStream(context, ephemeral, { state, turn, messageId }) : null
  attempt.stream = stream
  let refresh = (): void => undefined
  const say = (part: RuntimePart): void => {
    collector.add(part)
    if (part.type === 'text') {
      if (part.text !== '') attempt.firstText ??= clock.monotonic() - attempt.began.monotonic
      stream?.push(part.text)
      return
    }
    if (part.type === 'llm_request' && telemetry?.begin) traceModel(telemetry.begin, clock, part.request)
    refresh()
  }

  const over = endOfTurn(callOff)
  try {
    const speaking = { collector, say, signal: over.signal, whileBusy: busy }
    const described = await busy(() => describeTurn(runner, { state, turn, loaded }, speaking))
    refresh = described.refresh
    attempt.asked = true
    const parts = context.runtime.respond(described.turn, callOff.signal)
    await takeParts(parts, callOff, part => say(checkedPart(part)))
  } finally {
    // Before the turn is recorded: calls that were not awaited belong to it, too.
    over.come()
  }
  const facts = factsOf(turn, loaded, attempt.began, clock)
  attempt.duration = facts.latency
  return collector.reply({ messageId, chunks: stream?.finish() ?? null, ...facts })
}

/** Does again what the store was too busy for, until the turn is called off or the process shuts down (EN53). */
const whileCalledFor =
  ({ context, dropResult }: TurnRunner, callOff: CallOff): Speaking['whileBusy'] =>
  act =>
    whileBusy(context.clock, () => callOff.done || dropResult(), act)

const CALLED_OFF = new PlatformError('AGENT_FAILED', 'The turn was called off.')
const OVER = new PlatformError('AGENT_FAILED', 'The turn is over.')

/** Aborts when the turn is called off or cut short, and when it is over. */
function endOfTurn(callOff: CallOff) {
  const end = new CallOff()
  const cut = (): void => end.abort(callOff.reason instanceof PlatformError ? callOff.reason : CALLED_OFF)
  let listens = false
  return {
    signal(): AbortSignal {
      if (!listens) callOff.listen(cut)
      listens = true
      return end.signal
    },
    come: () => end.abort(OVER),
  }
}
