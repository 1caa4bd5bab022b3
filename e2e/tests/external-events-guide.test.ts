import { readFileSync } from 'node:fs'
import { createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock } from '@colloquy/core/testing'
import { createFetchHandler } from '@colloquy/core/transport'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, onTestFinished, test } from 'vitest'
import { paymentFunction } from '../src/payment.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../../docs/guides/external-events.md')

test('EX21 the page about external events takes a payment, and the conversation goes on when it has come', async () => {
  expect(PAGE).toContain(`\`\`\`ts\n${read('../src/payment.ts')}\`\`\`\n`)
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const asked: URL[] = []
  const service = { begin: async ({ tell }: { readonly tell: URL }) => void asked.push(tell) }
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, runtime: createRetrievalRuntime(), log: silentLog },
    functions: { take_payment: paymentFunction(service, 'https://agents.example.com') },
  })
  onTestFinished(() => platform.close())
  // The account and its agent are there once a visitor was.
  const { accountId, agentId } = await openVisitor(platform, clock)
  const { id: branchId } = await platform.agents.createBranch(agentId, { branchName: 'payment' })
  await platform.agents.createTopic(agentId, branchId, {
    ...{ name: 'Payment', content: 'You can pay now.', exampleQueries: ['I want to pay'] },
    actions: '{{fn:take_payment}}',
  })
  await platform.agents.merge(agentId, branchId)
  await platform.agents.publish(agentId, { environment: 'live' })
  const visitor = await openVisitor(platform, clock)
  const { secret } = await platform.access.createApiKey({ kind: 'external_events', accountId })
  await visitor.join()
  await visitor.say('I want to pay')
  await clock.settle()
  const [tell] = asked
  if (tell === undefined) throw new Error('No payment was asked for.')
  const handler = createFetchHandler(platform, { address: () => '203.0.113.9', allowInsecure: true })
  const send = async () => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
    const response = await handler(new Request(tell, { method: 'POST', headers, body: '{"paid": true}' }))
    return { status: response?.status, json: await response?.json() }
  }
  expect(await send()).toMatchObject({ status: 201, json: { status: 'accepted' } })
  await clock.settle()
  expect(visitor.texts('AI_AGENT_MESSAGE')).toContain('Your payment has arrived. Thank you!')
  expect(await send()).toMatchObject({ status: 201, json: { status: 'duplicate' } })
})
