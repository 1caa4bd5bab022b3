import { createTestPlatform } from '@colloquy/test-support/platform'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { FunctionConversation } from '../../src/ports/agent-function.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'
import { request } from '../support/request.ts'

/** Says what a function hears, expects an event, takes its time, fails, hands off, or ends. */
const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    async heard(turn) {
      const { result } = await turn.callFunction('hear', {})
      return JSON.stringify(result)
    },
    async pay(turn) {
      await turn.callFunction('expect', {})
      return 'One moment.'
    },
    async 'pay silently'(turn) {
      await turn.callFunction('expect', {})
      return [{ type: 'delayed' }]
    },
    slow: [{ type: 'wait', milliseconds: 2_000 }, 'Slowly.'],
    break: [{ type: 'fail', message: 'broken' }],
    person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }],
    nobody: ['Someone.', { type: 'handoff', destination: '', reason: '' }],
    bye: ['Goodbye.', { type: 'end' }],
    silence: 'unused',
  },
  externalEvent: 'It was paid.',
  otherwise: turn => {
    if (turn.input.type !== 'message') return ''
    return turn.input.text.trim() === '' ? 'Are you there?' : `You said ${turn.input.text}.`
  },
}

const hear = ({ channel, integrationAttributes, language, metadata }: FunctionConversation) => ({
  ...{ channel, integrationAttributes, language, metadata },
})

const none = z.object({})

interface Asked {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** A platform with an agent that is live, a connector to it, and its routes. */
export async function startChats(options: Partial<PlatformOptions> = {}, script: Script = SCRIPT) {
  let eventId = ''
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const runtime = createScriptedRuntime(script, clock)
  const functions = {
    hear: defineFunction({ description: 'Hears.', parameters: none, execute: hear }),
    expect: defineFunction({
      description: 'Expects.',
      parameters: none,
      async execute(conversation) {
        eventId = await conversation.expectExternalEvent()
        return null
      },
    }),
  }
  const { platform, errors } = createTestPlatform({ runtime, functions, clock, ...options })
  onTestFinished(() => platform.close())
  const { access, agents } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const made = { accountId: account.id, name: 'Desk', greeting: 'Hello' }
  const agent = await agents.create({ ...made, agentId: 'PROJECT-A' })
  await agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
  const { connector, token } = await access.createConnector({
    ...{ accountId: account.id, agentId: agent.id, environment: 'live', hosts: [] },
  })
  const { secret } = await access.createApiKey({ kind: 'project', accountId: account.id })
  const dispatcher = createDispatcher(platform, routes)
  const credentials = { 'x-api-key': secret, 'x-token': token }
  async function call(line: string, { body, headers = {} }: Asked = {}) {
    const all = Object.entries({ ...credentials, 'content-type': 'application/json', ...headers })
    const given = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    const asked = { headers: Object.fromEntries(given), ...(body === undefined ? {} : { body }) }
    const answer = await dispatcher.handle(request(line, asked))
    return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
  }
  const path = `/v1/one/${agent.id}/chat`
  const withKey = (key: string | undefined) =>
    key === undefined ? {} : { headers: { 'idempotency-key': key } }
  return {
    ...{ platform, clock, agent, account, connector, token, secret, errors, runtime, call, path },
    create: (body: object = {}, key?: string) => call(`POST ${path}/create`, { body, ...withKey(key) }),
    /** The id of a chat that has begun. */
    async begin(body: object = {}): Promise<string> {
      const { json } = await call(`POST ${path}/create`, { body })
      return json.conversation_id
    },
    respond: (conversation_id: string, message?: string, more: object = {}, key?: string) =>
      call(`POST ${path}/respond`, {
        body: { conversation_id, ...(message === undefined ? {} : { message }), ...more },
        ...withKey(key),
      }),
    close: (conversation_id: string) => call(`PUT ${path}/close`, { body: { conversation_id } }),
    replies: (id: string, query = '') => call(`GET ${path}/${id}/replies${query}`),
    record: async (id: string) => {
      const stored = await contextOf(platform).store.conversations.load(id)
      return stored?.state
    },
    /** What the chat waits for comes. */
    async pay(): Promise<void> {
      await platform.externalEvents.receive({
        ...{ accountId: account.id, agentId: agent.id, location: 'querystring', path: 'e' },
        ...{ headers: {}, query: `e=${eventId}`, contentType: 'text/plain' },
        body: new TextEncoder().encode('paid'),
      })
      await clock.settle()
    },
  }
}
