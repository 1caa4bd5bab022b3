import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { Json, JsonObject } from '../../../domain/json.ts'
import { plainJson, plainJsonObject } from '../../../domain/plain-json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionConversation } from '../../../ports/agent-function.ts'
import type { FunctionCall, FunctionEvent } from '../../../ports/agent-runtime.ts'
import { NO_SPAN } from '../../../ports/telemetry.ts'
import { limitedSignal } from '../../../shared/deadline.ts'
import type { Context } from '../../context.ts'
import { errorText } from '../turn/error-text.ts'
import type { TurnCollector } from '../turn/turn-collector.ts'
import type { StandIn } from './call-in-test.ts'
import { type FunctionConversationDeps, openConversation } from './function-conversation.ts'
import { functionJson } from './function-writes.ts'
import type { FunctionRegistry } from './register-functions.ts'

/** The dependencies of function calls on the turn that they belong to. */
export interface FunctionDeps extends FunctionConversationDeps {
  readonly context: Context
  /** The functions of the turn. */
  readonly functions: FunctionRegistry
  readonly collector: TurnCollector
  /** The replacement for functions. Null outside of tests and replays. */
  readonly standIn: StandIn | null
  /** Aborts when the turn is over for any reason; the abort reason says which. */
  readonly signal: AbortSignal
  /** The number of calls of each function in this turn, by name. */
  readonly calls: Map<string, number>
}

/**
 * Calls one of the host's functions. It never rejects: an unknown name, invalid arguments, an error, a time-out and an
 * invalid result are recorded in the call's event, and each call has exactly one (FN23).
 */
export function callFunction(deps: FunctionDeps, name: string, args: JsonObject): Promise<FunctionCall> {
  const { telemetry } = deps.context
  if (telemetry === null) return callOnce(deps, name, args)
  const fields = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.conversation.id': publicId(deps.state.id),
  }
  const span = telemetry.begin?.({ kind: 'tool', name, fields }) ?? NO_SPAN
  return span
    .within(() => callOnce(deps, name, args))
    .then(call => {
      span.end(call.error === null ? null : 'FUNCTION_FAILED')
      if (call.error !== null)
        telemetry.measure('colloquy.errors', 1, { code: 'FUNCTION_FAILED', where: 'function' })
      return call
    })
}

function callOnce(deps: FunctionDeps, name: string, args: JsonObject): Promise<FunctionCall> {
  const { clock, log, settings } = deps.context
  const { functionBytes, functionErrorLength } = settings.limits
  const startedAt = clock.monotonic()
  const opened = openConversation(deps, name, keyOf(deps, name))
  let recorded: JsonObject = {}
  return new Promise(resolve => {
    let over = false
    function settle({ result, error }: Pick<FunctionEvent, 'result' | 'error'>): void {
      if (over) return
      over = true
      limited.release()
      opened.close()
      const event = {
        name,
        arguments: recorded,
        result,
        error,
        duration: Math.round(clock.monotonic() - startedAt),
      }
      deps.collector.called(event, opened.effects())
      if (error !== null) log.warn('A function of the agent failed', { function: name, error })
      resolve({ ...event, ...opened.done() })
    }
    const failed = (error: unknown): void =>
      settle({ result: null, error: errorText(error, functionErrorLength) })

    const timeout = deps.functions.get(name)?.timeout ?? settings.functionTimeout
    const late = new PlatformError('AGENT_FAILED', `The function took longer than ${timeout} ms.`)
    const limited = limitedSignal(clock, { limit: timeout, late, outer: deps.signal })
    // Synchronously, so that the event exists before other listeners of the abort look for it.
    limited.signal.addEventListener('abort', () => failed(limited.signal.reason), { once: true })
    const run = async (): Promise<Json> => {
      deps.signal.throwIfAborted()
      recorded = plainJsonObject(args, functionJson('arguments', functionBytes))
      return execute(deps, { name, args }, opened.conversation, limited.signal)
    }
    run().then(result => settle({ result, error: null }), failed)
  })
}

/** Returns the key of a call among those of its turn: the same in every attempt at the turn (FN30). */
function keyOf({ calls }: FunctionDeps, name: string): string {
  const number = (calls.get(name) ?? 0) + 1
  calls.set(name, number)
  return `${name}.${number}`
}

async function execute(
  { context: { settings }, functions, standIn }: FunctionDeps,
  { name, args }: { readonly name: string; readonly args: JsonObject },
  conversation: FunctionConversation,
  signal: AbortSignal,
): Promise<Json> {
  const called = functions.get(name)
  if (called === undefined) throw new PlatformError('AGENT_FAILED', `There is no function named ${name}.`)
  const { functionBytes } = settings.limits
  // A copy: the function may change its arguments without changing the event.
  const prepared = await called.prepare(plainJsonObject(args, functionJson('arguments', functionBytes)))
  signal.throwIfAborted()
  const call = standIn === null ? prepared : await standIn({ name, args, called, prepared })
  const result = await call(conversation, signal)
  return result === undefined ? null : plainJson(result, functionJson('result', functionBytes))
}
