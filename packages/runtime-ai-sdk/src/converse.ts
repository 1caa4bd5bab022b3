import { PlatformError } from '@colloquy/core'
import { type RuntimePart, startOf } from '@colloquy/core/runtime'
import type { ModelMessage, ToolResultPart } from 'ai'
import { askModel, type ModelAnswer, nameOf, type RequestedCall } from './ask-model.ts'
import { toolOutput } from './messages.ts'
import { refused, type ToolOutcome } from './tools/agent-tool.ts'
import type { Toolbox } from './tools/toolbox.ts'
import type { TurnContext } from './turn-context.ts'

/** First request to the model in a turn. */
export interface Opening {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: Toolbox
}

/**
 * Calls the model and carries out its tool calls, until it has answered or a tool has ended the turn (LM30, LM32).
 * Returns whether a tool has done something.
 *
 * @throws AGENT_FAILED when it gives no answer
 */
export async function* converse(
  context: TurnContext,
  opening: Opening,
): AsyncGenerator<RuntimePart, { readonly acted: boolean }> {
  const { settings, speech } = context
  const tools = opening.tools.definitions
  let messages = opening.messages
  let callsLeft = settings.toolCalls
  let acted = false
  for (let step = 1; step <= settings.steps; step += 1) {
    yield { type: 'node', name: 'model' }
    const mayCall = step < settings.steps
    const answer = yield* askModel(context, { step, system: opening.system, messages, tools, mayCall })
    if (answer.calls.length === 0) {
      if (!speech.spoken) throw noAnswer(context, answer)
      yield* tellCut(context, answer)
      return { acted }
    }
    // The AI SDK already refuses such a response. This makes sure that nothing is carried out.
    if (!mayCall) break
    speech.pause()
    const results: ToolResultPart[] = []
    for (const call of answer.calls) {
      if (!call.readable) continue
      callsLeft -= 1
      const outcome =
        callsLeft < 0
          ? refused(`A turn has at most ${settings.toolCalls} calls of tools.`)
          : yield* carryOut(context, opening.tools, call)
      acted ||= outcome.error === null && opening.tools.find(call.name)?.acts === true
      if (outcome.concluded) return { acted }
      results.push(resultPart(call, outcome, settings.resultLength))
    }
    messages = [...messages, ...answer.messages, ...(results.length === 0 ? [] : [toolMessage(results)])]
  }
  throw endless(context)
}

/** The reason why a provider ends an answer that the model has not finished. */
const CUT_BY = ['length', 'content-filter']

/** Says in the record and to the visitor that the provider has cut the answer (LM30). */
function* tellCut({ phrases }: TurnContext, { finishReason }: ModelAnswer): Generator<RuntimePart> {
  if (!CUT_BY.includes(finishReason)) return
  yield { type: 'node', name: `reply_cut:${finishReason}` }
  yield { type: 'text', text: `\n\n${phrases.cutShort}` }
}

const toolMessage = (content: ToolResultPart[]): ModelMessage => ({ role: 'tool', content })

async function* carryOut(
  context: TurnContext,
  tools: Toolbox,
  call: RequestedCall,
): AsyncGenerator<RuntimePart, ToolOutcome> {
  context.signal.throwIfAborted()
  const found = tools.find(call.name)
  if (found === null) return refused(`There is no tool named ${call.name}.`)
  return yield* found.run(context, call.input)
}

const resultPart = (call: RequestedCall, outcome: ToolOutcome, length: number): ToolResultPart => ({
  type: 'tool-result',
  toolCallId: call.id,
  toolName: call.name,
  output:
    outcome.error === null
      ? toolOutput(outcome.result, length)
      : { type: 'error-text', value: startOf(outcome.error, length) },
})

const noAnswer = ({ model }: TurnContext, { finishReason }: ModelAnswer): PlatformError =>
  new PlatformError(
    'AGENT_FAILED',
    `The language model ${nameOf(model)} answered nothing (it finished with ${JSON.stringify(finishReason)}).`,
  )

const endless = ({ model, settings }: TurnContext): PlatformError =>
  new PlatformError(
    'AGENT_FAILED',
    `The language model ${nameOf(model)} gave no answer in ${settings.steps} requests, only calls of tools.`,
  )
