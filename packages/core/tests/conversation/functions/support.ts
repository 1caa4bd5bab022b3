import { z } from 'zod'
import type { JsonObject } from '../../../src/domain/json.ts'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../../src/platform.ts'
import type { FunctionConversation } from '../../../src/ports/agent-function.ts'
import type { FunctionCall } from '../../../src/ports/agent-runtime.ts'
import { silentLog } from '../../../src/ports/log.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type Script,
} from '../../../src/testing/index.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'

/** A function without arguments. */
export const does = (
  execute: (conversation: FunctionConversation, signal: AbortSignal) => unknown,
  timeout?: number,
) =>
  defineFunction({
    description: 'Does something.',
    parameters: z.object({}),
    ...(timeout === undefined ? {} : { timeout }),
    execute: (conversation, _, signal) => execute(conversation, signal),
  })

const argumentsSchema = z.record(z.string(), z.json())

/** What a message asks for: the name of a function and its arguments, `book {"nights":2}`. */
function callOf(text: string): { readonly name: string; readonly args: JsonObject } {
  const [, name = '', args = ''] = /^(\S*) ?(.*)$/s.exec(text) ?? []
  return { name, args: argumentsSchema.parse(args === '' ? {} : JSON.parse(args)) }
}

/** Calls the function that the visitor names, and says what came of it when the function has said nothing. */
export const CALLER: Script = {
  greeting: 'Welcome.',
  externalEvent: 'It came.',
  otherwise: async turn => {
    if (turn.input.type !== 'message') return []
    const { name, args } = callOf(turn.input.text)
    const call = await turn.callFunction(name, args)
    return call.said || call.concluded ? [] : wordsOf(call)
  },
}

export const wordsOf = (call: FunctionCall): string => call.error ?? JSON.stringify(call.result)

export interface Opening {
  readonly functions?: PlatformOptions['functions']
  readonly script?: Script
  readonly options?: Partial<PlatformOptions>
  readonly integrationAttributes?: JsonObject
}

/** A debug chat with an agent that has an attribute `house` and one variant, and functions of the host. */
export async function openChat({
  functions = {},
  script = CALLER,
  options = {},
  integrationAttributes = {},
}: Opening) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime(script, clock)
  const common = { store, clock, ids: createSequentialIds(), runtime, functions, rateLimits: null }
  const platform = createPlatform({ log: silentLog, ...common, onError: () => undefined, ...options })
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'content' })
  const house = await platform.agents.createAttribute(agent.id, branch.id, { name: 'house' })
  const [main] = await platform.agents.variants(agent.id, branch.id)
  await platform.agents.updateVariant(agent.id, branch.id, main?.id ?? '', {
    attributeValues: { [house.id]: 'the Harbour' },
  })
  await platform.agents.merge(agent.id, branch.id)
  const { state } = await platform.debugChat.start(agent, { environment: 'sandbox', integrationAttributes })
  const say = async (message: string) =>
    (await platform.debugChat.send(agent, state.id, { environment: 'sandbox', message })).turn
  return {
    ...{ platform, clock, store, agent, runtime, say },
    id: state.id,
    /** Says it while time passes, which the answer waits for. */
    async sayDuring(message: string, milliseconds: number) {
      const [turn] = await Promise.all([say(message), clock.advance(milliseconds)])
      return turn
    },
    state: async () => {
      const stored = await store.conversations.load(state.id)
      if (stored === null) throw new Error('The chat is gone.')
      return stored.state
    },
    read: () => platform.debugChat.read(agent, state.id, { environment: 'sandbox' }),
  }
}

/** A promise that is settled from outside. */
export function gate<Value = void>() {
  let open: (value: Value) => void = () => undefined
  const opened = new Promise<Value>(resolve => {
    open = resolve
  })
  return { open, opened }
}
