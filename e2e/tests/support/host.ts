import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, defineFunction, type Platform, type PlatformOptions } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { attachMessaging } from '@colloquy/ws-transport'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

export const ACCOUNT_ID = 'ws-hotel'
export const AGENT_ID = 'PROJECT-HOTEL'

/** Expects a payment's result, and says what it was told, in full. */
const pay = defineFunction({
  description: 'Takes a payment',
  parameters: z.object({}),
  async execute(conversation) {
    const event = conversation.externalEvent
    if (event !== null) {
      conversation.setVariable('paid', event.text)
      conversation.say(`Paid: ${event.contentType}: ${event.text}`)
      return null
    }
    conversation.setVariable('event_id', await conversation.expectExternalEvent({ delayResponse: true }))
    conversation.say('One moment.')
    return { pending: true }
  },
})

/** Says what it knows of its conversation. */
const whoami = defineFunction({
  description: 'Says who is asking',
  parameters: z.object({}),
  execute(conversation) {
    conversation.setMetric('asked', 'whoami')
    conversation.say(JSON.stringify([conversation.integrationAttributes, conversation.variantAttributes]))
    return { known: true }
  },
})

const bye = defineFunction({
  description: 'Ends the conversation',
  parameters: z.object({}),
  execute(conversation) {
    conversation.say('Goodbye!')
    conversation.end()
    return null
  },
})

/** What the agent knows, by topic: its question, its content and its actions. */
const TOPICS = [
  ['Opening hours', 'When do you open?', 'We open at nine.', ''],
  ['Dogs', 'May I bring my dog?', 'Dogs are welcome.', ''],
  ['Payment', 'I want to pay', 'Pay here.', '{{fn:pay}}'],
  ['Identity', 'Who am I?', 'You are you.', '{{fn:whoami}}'],
  ['Person', 'Fetch me a human', 'I am fetching somebody.', '{{ho:reception}}'],
  ['Farewell', 'So long', 'Goodbye!', '{{fn:bye}}'],
] as const

/** Finds topics, as the built-in runtime does; says `crash` with a failure, and `hold` when `held` lets it. */
const runtimeThatFails = (held: Promise<void>): AgentRuntime => {
  const retrieval = createRetrievalRuntime({ phrases: { de: { unknown: 'Das weiß ich nicht.' } } })
  return {
    async *respond(turn, signal) {
      const text = turn.input.type === 'message' ? turn.input.text : ''
      if (text === 'crash') throw new Error('the runtime has crashed')
      if (text.startsWith('hold')) await held
      yield* retrieval.respond(turn, signal)
    },
  }
}

async function writeAgent({ access, agents }: Platform): Promise<void> {
  await access.createAccount({ accountId: ACCOUNT_ID, slug: 'hotel', name: 'Hotel' })
  const common = { accountId: ACCOUNT_ID, languageCode: 'en-GB' }
  const greeting = 'Welcome to {{attr:house}}!'
  await agents.create({ ...common, agentId: AGENT_ID, name: 'Front desk', greeting })
  const branch = await agents.createBranch(AGENT_ID, { branchName: 'content' })
  const house = await agents.createAttribute(AGENT_ID, branch.id, { name: 'house' })
  const [main] = await agents.variants(AGENT_ID, branch.id)
  const valued = (value: string) => ({ attributeValues: { [house.id]: value } })
  await agents.updateVariant(AGENT_ID, branch.id, main?.id ?? '', valued('the Harbour'))
  await agents.createVariant(AGENT_ID, branch.id, { name: 'Mill', isDefault: false, ...valued('the Mill') })
  for (const [name, question, content, actions] of TOPICS) {
    const topic = { name, content, actions, exampleQueries: [question], isActive: true }
    await agents.createTopic(AGENT_ID, branch.id, topic)
  }
  await agents.merge(AGENT_ID, branch.id)
}

export interface HostOptions extends Partial<PlatformOptions> {
  /** @default a new file */
  readonly filename?: string
  /** What messages that begin with `hold` wait for. @default nothing */
  readonly held?: Promise<void>
}

/** An answer: its JSON, null for none. */
export interface Answer {
  readonly status: number
  readonly json: unknown
}

async function emptyDatabase(): Promise<string> {
  const file = await freshDatabase()
  await mkdir(dirname(file))
  return writeEmptyStore(file)
}

/** A host over a SQLite file, with an agent in sandbox, and a key of each kind; gone when the test is. */
export async function startHost({ filename, held = Promise.resolve(), ...options }: HostOptions = {}) {
  const file = filename ?? (await emptyDatabase())
  const errors: unknown[] = []
  const platform = createPlatform({
    store: createSqliteStore({ filename: file }),
    runtime: runtimeThatFails(held),
    functions: { pay, whoami, bye },
    rateLimits: null,
    onError: error => errors.push(error),
    ...options,
  })
  if ((await platform.access.account(ACCOUNT_ID)) === null) await writeAgent(platform)
  const server = createServer(createRequestListener(platform))
  const sockets = attachMessaging(server, platform)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await sockets.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await platform.close()
  }
  onTestFinished(close)
  const issue = async (kind: 'workspace' | 'external_events' | 'project') =>
    (
      await platform.access.createApiKey({
        kind,
        accountId: ACCOUNT_ID,
        ...(kind === 'project' ? { agentId: AGENT_ID } : {}),
      })
    ).secret
  const keys = {
    workspace: await issue('workspace'),
    events: await issue('external_events'),
    project: await issue('project'),
  }
  return { platform, url, filename: file, keys, errors, close }
}

export type Host = Awaited<ReturnType<typeof startHost>>

/** Calls a host and takes whatever it answers. A body is JSON unless the headers say otherwise. */
export async function call(
  host: Host,
  path: string,
  init: RequestInit & { readonly key: string },
): Promise<Answer> {
  const { key, headers, ...rest } = init
  const response = await fetch(host.url + path, {
    ...rest,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? null : JSON.parse(text) }
}
