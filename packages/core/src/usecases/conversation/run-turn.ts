import type { TurnFailure } from '../../domain/conversation/command.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import { PlatformError } from '../../errors.ts'
import type { RuntimePart, RuntimeTurn } from '../../ports/agent-runtime.ts'
import type { Agents } from '../agents/agents.ts'
import type { Context } from '../context.ts'
import { callFunction } from './call-function.ts'
import type { Engine } from './engine.ts'
import type { Live } from './live.ts'
import { createReplyStream, type ReplyStream } from './reply-stream.ts'
import { createTurnCollector, type TurnCollector } from './turn-collector.ts'
import { type LoadedInput, loadInput, readHistory, testCaseOf, variantOf } from './turn-input.ts'

/** What running a turn needs. */
export interface TurnRunner {
  readonly context: Context
  readonly engine: Pick<Engine, 'execute'>
  readonly live: Live
  readonly agents: Pick<Agents, 'content'>
  /** True when the process goes away: a turn that is cut off then fails nothing, another process runs it again. */
  dropResult(): boolean
}

/**
 * Runs a turn: asks the runtime, sends streamed text on, keeps the lease alive and hands the reply, or its stated
 * failure, to the machine. Never throws. A result whose lease was lost is refused there and dropped here.
 */
export async function runTurn(
  runner: TurnRunner,
  state: ConversationState,
  turn: ActiveTurn,
  recent: readonly ConversationEvent[],
  controller: AbortController,
): Promise<void> {
  const { clock, settings } = runner.context
  const holder = { turnId: turn.id, generation: turn.generation }
  const deadline = clock.schedule(settings.turnDeadline, () =>
    controller.abort(new PlatformError('AGENT_FAILED', `A turn takes at most ${settings.turnDeadline} ms.`)),
  )
  const stopRenewing = keepAlive(runner, state, holder, controller)
  const attempt: Attempt = { stream: null, custom: null }
  try {
    const reply = await answer(runner, state, turn, recent, controller.signal, attempt)
    await runner.engine.execute(state.id, { type: 'turn_completed', ...holder, reply })
  } catch (error) {
    // Called off, or run by another process: whatever became of it here is of no account.
    const { aborted, reason } = controller.signal
    const calledOff = aborted && !(reason instanceof PlatformError)
    if (calledOff || runner.dropResult()) return
    runner.context.log.warn('A turn failed', { conversation: state.id, turn: turn.id, error: String(error) })
    settings.onError(error, 'turn')
    const failure = failureOf(turn, attempt.stream)
    await runner.engine
      .execute(state.id, { type: 'turn_failed', ...holder, failure, custom: attempt.custom })
      // The lease runs out and another attempt states the failure.
      .catch(fault => settings.onError(fault, 'turn'))
  } finally {
    deadline()
    stopRenewing()
    attempt.stream?.stop()
    runner.live.endStream(state.id, turn)
  }
}

/** What a failing attempt leaves to be reported. */
interface Attempt {
  stream: ReplyStream | null
  custom: Readonly<Record<string, string>> | null
}

function failureOf(turn: ActiveTurn, stream: ReplyStream | null): TurnFailure {
  if (stream?.started === true) return 'stream'
  return turn.input.type === 'greeting' ? 'start' : 'reply'
}

/** Renews the lease while the turn runs. Aborts the turn when the lease is lost (EN13). */
function keepAlive(
  runner: TurnRunner,
  state: ConversationState,
  holder: Pick<ActiveTurn, 'generation'> & { readonly turnId: ActiveTurn['id'] },
  controller: AbortController,
): () => void {
  const { clock, settings } = runner.context
  let cancel = clock.schedule(settings.turnLease / 3, renew)
  function renew(): void {
    cancel = clock.schedule(settings.turnLease / 3, renew)
    runner.engine
      .execute(state.id, { type: 'turn_alive', ...holder })
      .then(({ status }) => {
        if (status !== 'done') controller.abort()
      })
      .catch(error => settings.onError(error, 'turn lease'))
  }
  return () => cancel()
}

async function answer(
  runner: TurnRunner,
  state: ConversationState,
  turn: ActiveTurn,
  recent: readonly ConversationEvent[],
  signal: AbortSignal,
  attempt: Attempt,
) {
  const { context, live } = runner
  const { clock, ids, settings, store } = context
  const loaded = await loadInput(store.conversations, state, turn.input, recent, turn.startedAt)
  attempt.custom = loaded.custom
  const messageId = ids.uuid()
  const stream = state.streaming ? createReplyStream(context, live, state, turn, messageId) : null
  attempt.stream = stream
  const collector = createTurnCollector(state, settings.limits)
  const say = (part: RuntimePart): void => {
    collector.add(part)
    if (part.type === 'text') stream?.push(part.text)
  }
  const runtimeTurn = await describeTurn(runner, state, turn, loaded, collector, say, signal)
  for await (const part of untilAborted(context.runtime.respond(runtimeTurn, signal), signal)) say(part)
  return collector.reply({
    messageId,
    chunks: stream?.finish() ?? null,
    inputType: turn.input.type,
    userInput: loaded.text,
    userInputAt: loaded.receivedAt,
    now: clock.now(),
  })
}

async function describeTurn(
  runner: TurnRunner,
  state: ConversationState,
  turn: ActiveTurn,
  loaded: LoadedInput,
  collector: TurnCollector,
  say: (part: RuntimePart) => void,
  signal: AbortSignal,
): Promise<RuntimeTurn> {
  const { context } = runner
  const { accountId, agentId, deploymentId, revision } = state
  if (deploymentId === null || revision === null) {
    throw new PlatformError('INTERNAL', 'The conversation has no deployment to run.')
  }
  const content = await runner.agents.content(agentId, revision)
  const testCase = testCaseOf(content, state)
  // Read anew each time: another process may have written it since the last turn.
  const realTimeConfig = (await context.store.agents.realTimeVariables(agentId, state.environment)) ?? {}
  const conversations = context.store.conversations
  async function expectExternalEvent(): Promise<string> {
    const eventId = context.ids.secret()
    await conversations.expectExternalEvent({ eventId, conversationId: state.id, accountId, agentId })
    collector.expects(eventId)
    return eventId
  }
  const described: RuntimeTurn = {
    turnId: turn.id,
    conversationId: state.id,
    accountId,
    agentId,
    environment: state.environment,
    deploymentId,
    kind: state.kind,
    channel: state.record.channel,
    language: state.record.language ?? content.responseSettings.languageCode,
    now: turn.startedAt,
    input: loaded.input,
    content,
    variant: variantOf(content, state.record.variantId),
    get variables() {
      return collector.variables
    },
    integrationAttributes: state.integrationAttributes,
    realTimeConfig,
    history: limit => readHistory(conversations, state, turn.input, limit),
    functions: Object.entries(context.functions).map(([name, { description, parameters }]) => ({
      name,
      description,
      parameters: parameters ?? null,
    })),
    callFunction: (name, args) =>
      callFunction(
        { context, state, testCase, collector, turn: described, signal, say, expectExternalEvent },
        name,
        args,
      ),
    expectExternalEvent,
  }
  return described
}

/** The parts as they come, until the signal aborts: also when the runtime does not listen to it. */
async function* untilAborted<Part>(parts: AsyncIterable<Part>, signal: AbortSignal): AsyncGenerator<Part> {
  const iterator = parts[Symbol.asyncIterator]()
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(signal.reason)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
  // Nobody may be waiting for it when it rejects.
  aborted.catch(() => undefined)
  try {
    while (true) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next.done === true) return
      yield next.value
    }
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
