import { fileURLToPath } from 'node:url'
import { type Clock, createPlatform, type JsonObject, type PlatformOptions, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime, type Script } from '@colloquy/core/testing'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { PATIENCE } from '../../../../../scripts/patience.ts'
import { createMcpFunctions, type McpFunctionsOptions, type McpStdioServer } from '../../../src/mcp/index.ts'

/** The hotel's server as a program. */
export const PROGRAM: McpStdioServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./stdio-server.ts', import.meta.url))],
}

/** MCP functions until the test is over, and what their log was told. */
export function openFunctions(options: McpFunctionsOptions) {
  const lines: { readonly message: string; readonly fields: unknown }[] = []
  const write = (message: string, fields?: unknown): void => void lines.push({ message, fields })
  const functions = createMcpFunctions({
    log: { info: write, warn: write },
    ...options,
    limits: { connectTimeout: PATIENCE, retryDelay: 20, longestRetryDelay: 200, ...options.limits },
  })
  onTestFinished(() => functions.close())
  return { functions, lines }
}

const argumentsSchema = z.record(z.string(), z.json())

/** Calls the function that a message names: `hotel_say {"text":"Hi"}`. */
const CALLER: Script = {
  greeting: 'Welcome.',
  otherwise: async turn => {
    if (turn.input.type !== 'message') return []
    const [, name = '', args = ''] = /^(\S*) ?(.*)$/s.exec(turn.input.text) ?? []
    const call = await turn.callFunction(name, argumentsSchema.parse(args === '' ? {} : JSON.parse(args)))
    return call.error ?? JSON.stringify(call.result)
  },
}

/** A debug chat with an agent that calls what it is told to. */
export async function openChat(
  functionSources: PlatformOptions['functionSources'],
  { script = CALLER, ...options }: Partial<PlatformOptions> & { readonly script?: Script } = {},
) {
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createScriptedRuntime(script, createFakeClock()),
    ...(functionSources === undefined ? {} : { functionSources }),
    ...{ log: silentLog, onError: () => undefined, rateLimits: null },
    ...{ functionTimeout: PATIENCE, turnDeadline: 2 * PATIENCE },
    ...options,
  })
  onTestFinished(() => platform.close())
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  await platform.agents.publish(agent.id, { environment: 'sandbox' })
  const { state } = await platform.debugChat.start(agent, { environment: 'sandbox' })
  const send = async (message: string) =>
    (await platform.debugChat.send(agent, state.id, { environment: 'sandbox', message })).turn
  return {
    platform,
    agent,
    send,
    say: async (name: string, args?: JsonObject): Promise<string> =>
      `${(await send(args === undefined ? name : `${name} ${JSON.stringify(args)}`)).record.agent_response}`,
  }
}

/** The process's clock, on which what is limited to so many milliseconds lasts until the test ends it. */
export function limitsByHand(milliseconds: number) {
  const held = new Set<() => void>()
  const clock: Clock = {
    now: Date.now,
    monotonic: () => performance.now(),
    schedule(delay, task) {
      if (delay === milliseconds) {
        held.add(task)
        return () => held.delete(task)
      }
      const timer = setTimeout(task, delay)
      return () => clearTimeout(timer)
    },
  }
  return {
    clock,
    /** The outcome of what was begun: its time is over once `reached` says that it got there. */
    async endOf<Result>(begun: Promise<Result>, reached: () => boolean = () => true): Promise<Result> {
      await vi.waitUntil(() => held.size > 0 && reached())
      for (const task of held) task()
      return begun
    },
  }
}
