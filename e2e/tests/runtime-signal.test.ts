import { execFile } from 'node:child_process'
import { addAbortListener, EventEmitter, once } from 'node:events'
import { createServer, get } from 'node:http'
import { addAbortSignal, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as later } from 'node:timers/promises'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { withLinkPreviews } from '@colloquy/integrations/link-previews'
import { expect, onTestFinished, test } from 'vitest'

/** Uses that a host's runtime has for its signal; each resolves. */
const uses = (url: string): Readonly<Record<string, (signal: AbortSignal) => unknown>> => ({
  instanceof: signal => expect(signal).toBeInstanceOf(AbortSignal),
  'AbortSignal.any': signal => AbortSignal.any([signal]),
  fetch: async signal => (await fetch(url, { signal })).text(),
  Request: signal => new Request(url, { signal }),
  'timers/promises': signal => later(1, null, { signal }),
  'events.once': signal => {
    const emitter = new EventEmitter()
    setImmediate(() => emitter.emit('x'))
    return once(emitter, 'x', { signal })
  },
  'events.addAbortListener': signal => addAbortListener(signal, () => {}),
  addEventListener: signal => new EventTarget().addEventListener('x', () => {}, { signal }),
  'stream.addAbortSignal': signal => addAbortSignal(signal, Readable.from(['a'])).resume(),
  pipeline: signal => pipeline(Readable.from(['a']), new PassThrough().resume(), { signal }),
  execFile: signal =>
    new Promise<void>((done, failed) =>
      execFile(process.execPath, ['--version'], { signal }, error => (error ? failed(error) : done())),
    ),
  'http.request': signal =>
    new Promise((done, failed) =>
      get(url, { signal }, answer => answer.resume().on('end', done)).on('error', failed),
    ),
})

async function serveOk(): Promise<string> {
  const server = createServer((_, response) => void response.end('ok')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
}

test.each([
  ['alone', (runtime: AgentRuntime) => runtime],
  ['with link previews', (runtime: AgentRuntime) => withLinkPreviews(runtime)],
])('RN20 the signal of a runtime %s is taken by all that takes one', async (_, wrap) => {
  const failed: string[] = []
  const all = uses(await serveOk())
  const runtime: AgentRuntime = {
    async *respond({ input }, signal) {
      if (input.type === 'message')
        for (const [name, use] of Object.entries(all)) {
          const take = async (): Promise<unknown> => use(signal)
          await take().catch((error: unknown) => failed.push(`${name}: ${error}`))
        }
      yield { type: 'text', text: 'done' }
    },
  }
  const platform = createPlatform({ store: createMemoryStore(), runtime: wrap(runtime) })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'h', name: 'h' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome!' })
  await platform.agents.publish(agent.id, { environment: 'sandbox' })
  const chat = await platform.debugChat.start(agent, { environment: 'sandbox' })
  const { turn } = await platform.debugChat.send(agent, chat.state.id, {
    environment: 'sandbox',
    message: 'go',
  })
  expect(turn.record.agent_response).toBe('done')
  expect(failed).toEqual([])
})
