import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform, PlatformOptions } from '../../src/platform.ts'
import type { AssistedConversation, DeskAssistant } from '../../src/ports/desk-assistant.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }
const SUMMARY = 'Wants a manager.'

/** By then whatever is due has begun, milliseconds. */
const ROUND = 50

/** An assistant whose calls a test answers. */
function createAssistant() {
  const asked: { readonly conversation: AssistedConversation; readonly signal: AbortSignal }[] = []
  const answers: { resolve(text: string): void; reject(error: Error): void }[] = []
  const assistant: DeskAssistant = {
    summarize(conversation, signal) {
      asked.push({ conversation, signal })
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
    suggest: async () => [],
  }
  return { assistant, asked, answers }
}

const statusOf = async (platform: Platform, accountId: string, id: string) =>
  (await platform.desk.handoff(accountId, id)).summary

/** Watches the desk; returns the summaries that are told. */
async function hear(platform: Platform, accountId: string) {
  const heard: string[] = []
  await platform.desk.watch(accountId, event => {
    const frame = deskEventOnWire(event)
    if (frame.type === 'handoff.summary') heard.push(`${frame.summary.status} ${frame.summary.text}`.trim())
  })
  return heard
}

/** Two processes with one assistant each, and a visitor who waits. */
async function waiting(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const [first, second] = [createAssistant(), createAssistant()]
  const platform = bench.start({ deskAssistant: first.assistant, ...options })
  const other = bench.start({ deskAssistant: second.assistant, ...options })
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  await bench.clock.advance(ROUND)
  return { ...bench, first, second, platform, other, visitor, accountId, id: handoffOf(visitor) }
}

describe('a summary at the handoff', () => {
  test('DK645 the handoff does not wait; the summary is made once, kept, and told to watchers of every process', async () => {
    const { accountId, clock, first, id, other, platform, second, visitor } = await waiting()
    expect(visitor.types()).toContain('HANDOFF_ACCEPTED')
    const accepted = await platform.desk.accept(accountId, id, ADA)
    expect(accepted.summary).toMatchObject({ status: 'pending', text: '' })
    const heard = [await hear(platform, accountId), await hear(other, accountId)]
    const asked = [...first.asked, ...second.asked]
    expect(asked).toHaveLength(1)
    expect(asked[0]?.conversation).toMatchObject({ accountId, handoffId: id, reason: 'asked' })
    expect(asked[0]?.conversation.lines.map(({ text }) => text)).toEqual([
      'Welcome.',
      'person',
      'One moment.',
    ])
    for (const { answers } of [first, second]) answers[0]?.resolve(` ${SUMMARY}\n`)
    await clock.settle()
    for (const lines of heard) expect(lines).toEqual([`done ${SUMMARY}`])
    for (const one of [platform, other])
      expect(await statusOf(one, accountId, id)).toMatchObject({
        status: 'done',
        text: SUMMARY,
        failure: null,
      })
    await clock.advance(59_000)
    expect(first.asked.length + second.asked.length).toBe(1)
    expect(JSON.stringify(visitor.received)).not.toContain(SUMMARY)
  })

  test('DK645 without an assistant nothing is asked for, read or written more, and asking is NOT_IMPLEMENTED', async () => {
    const { calls, start, waiting: wait } = createDeskBench()
    const platform = start()
    const visitor = await wait(platform)
    expect([...calls.keys()].filter(name => name.startsWith('summaries'))).toEqual([])
    const id = handoffOf(visitor)
    const handoff = await platform.desk.handoff(visitor.accountId, id)
    expect([handoff.summary, handoff.canSuggest]).toEqual([null, false])
    await expect(platform.desk.summarize(visitor.accountId, id)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })

  test('DK645 a summary adds no read and no write to what a visitor says', async () => {
    const costs = async (options: Partial<PlatformOptions>) => {
      const { accountId, calls, clock, id, platform, visitor } = await waiting(options)
      await platform.desk.accept(accountId, id, ADA)
      await clock.settle()
      calls.clear()
      await visitor.say('Hello?')
      return Object.fromEntries([...calls].sort())
    }
    const bare = createDeskBench()
    const plain = bare.start()
    bare.start()
    const visitor = await bare.waiting(plain)
    await bare.clock.settle()
    await plain.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    await bare.clock.settle()
    bare.calls.clear()
    await visitor.say('Hello?')
    expect(await costs({})).toEqual(Object.fromEntries([...bare.calls].sort()))
  })

  test('DK646 an assistant that hangs is called off at its deadline; a live agent may ask again', async () => {
    const { accountId, clock, first, id, platform } = await waiting({ assistantTimeout: 5_000 })
    const heard = await hear(platform, accountId)
    await clock.advance(5_000 - ROUND - 1)
    expect(first.asked[0]?.signal.aborted).toBe(false)
    await clock.advance(ROUND + 1)
    expect(first.asked[0]?.signal.aborted).toBe(true)
    expect(await statusOf(platform, accountId, id)).toMatchObject({ status: 'failed', failure: 'timed_out' })
    expect(await platform.desk.summarize(accountId, id)).toMatchObject({ status: 'pending', failure: null })
    // One that is pending is not asked for twice.
    await platform.desk.summarize(accountId, id)
    await clock.advance(ROUND)
    expect(first.asked).toHaveLength(2)
    // What comes after the deadline counts for nothing.
    first.answers[0]?.resolve('Too late')
    await clock.settle()
    expect(await statusOf(platform, accountId, id)).toMatchObject({ status: 'pending' })
    first.answers[1]?.resolve(SUMMARY)
    await clock.settle()
    expect(heard).toEqual(['failed', 'pending', `done ${SUMMARY}`])
  })

  test.each([
    ['rejects', ({ reject }: { reject(error: Error): void }) => reject(new Error('secret key refused'))],
    ['says nothing', ({ resolve }: { resolve(text: string): void }) => resolve(' \n')],
  ])('DK646 an assistant that %s has failed, without its words at the desk', async (_, fail) => {
    const { accountId, clock, first, id, platform } = await waiting()
    const answer = first.answers[0]
    if (answer === undefined) throw new Error('Nobody was asked.')
    fail(answer)
    await clock.settle()
    const summary = await statusOf(platform, accountId, id)
    expect(summary).toMatchObject({ status: 'failed', failure: 'failed', text: '' })
    expect(JSON.stringify(summary)).not.toContain('secret')
  })

  test('DK646 a text above its length is cut', async () => {
    const { accountId, clock, first, id, platform } = await waiting({ limits: { summaryLength: 10 } })
    first.answers[0]?.resolve('x'.repeat(11))
    await clock.settle()
    expect((await statusOf(platform, accountId, id))?.text).toBe(`${'x'.repeat(9)}…`)
  })

  test('DK647 a process that closes gives it back to another at once, one that was killed after its lease', async () => {
    const closing = await waiting()
    await closing.platform.close()
    await closing.clock.advance(ROUND)
    expect(closing.second.asked).toHaveLength(1)
    closing.second.answers[0]?.resolve(SUMMARY)
    await closing.clock.settle()
    const { accountId, id, other } = closing
    expect(await statusOf(other, accountId, id)).toMatchObject({ status: 'done' })

    // As a killed process leaves it: it holds the lease, and nothing comes.
    const killed = await waiting({ assistantTimeout: 5_000 })
    const { store } = killed
    const { summaries } = store.conversations
    const held = await summaries.find(killed.id)
    if (held === null) throw new Error('There is no summary.')
    const later = { ...held, dueAt: killed.clock.now() + 7_000, version: held.version + 1 }
    expect(await summaries.save(later, held.version)).toBe('saved')
    await killed.clock.advance(6_000)
    expect((await summaries.find(killed.id))?.status).toBe('pending')
    await killed.clock.advance(5_000)
    const asked = killed.first.asked.length + killed.second.asked.length
    expect(asked).toBe(2)
    for (const { answers } of [killed.first, killed.second]) answers.at(-1)?.resolve(SUMMARY)
    await killed.clock.settle()
    expect(await statusOf(killed.other, killed.accountId, killed.id)).toMatchObject({ status: 'done' })
  })

  test('DK647 one whose processes were killed too often has failed', async () => {
    const { accountId, clock, id, platform, store } = await waiting({ assistantTimeout: 5_000 })
    const { summaries } = store.conversations
    const held = await summaries.find(id)
    if (held === null) throw new Error('There is no summary.')
    await summaries.save({ ...held, attempts: 3, dueAt: clock.now(), version: 9 }, held.version)
    await clock.advance(60_000)
    expect(await statusOf(platform, accountId, id)).toMatchObject({ status: 'failed', failure: 'failed' })
  })

  test('DK645 a transfer into a queue has a summary of its own, and a removed conversation has none', async () => {
    const { accountId, clock, first, id, platform, second, store, visitor } = await waiting()
    for (const { answers } of [first, second]) answers[0]?.resolve(SUMMARY)
    await platform.desk.accept(accountId, id, ADA)
    const leave = await platform.desk.watch(accountId, () => undefined, {
      liveAgentId: 'ben',
      queues: ['sales'],
    })
    await clock.settle()
    const next = await platform.desk.transfer(accountId, id, { queueName: 'sales' })
    await clock.advance(ROUND)
    expect(first.asked.length + second.asked.length).toBe(2)
    expect(await statusOf(platform, accountId, next.handoffId)).toMatchObject({ status: 'pending' })
    leave()
    await visitor.end()
    await clock.settle()
    await platform.conversations.remove(accountId, visitor.agentId, visitor.id)
    for (const one of [id, next.handoffId]) expect(await store.conversations.summaries.find(one)).toBeNull()
    // What is made meanwhile is dropped.
    for (const { answers } of [first, second]) answers.at(-1)?.resolve(SUMMARY)
    await clock.settle()
    expect(await store.conversations.summaries.find(next.handoffId)).toBeNull()
  })

  test('DK647 a summary after a transfer is asked for in its write, and made though the process dies at once', async () => {
    const bench = createDeskBench()
    const [first, second] = [createAssistant(), createAssistant()]
    let isDead = false
    const { append } = bench.store.conversations
    const conversations = {
      ...bench.store.conversations,
      // The process dies with the write: nothing that it does comes after it.
      append: async (write: Parameters<typeof append>[0]) => {
        if (isDead) return new Promise<never>(() => {})
        const result = await append(write)
        isDead = write.summary !== null
        return isDead ? new Promise<never>(() => {}) : result
      },
    }
    const dying = bench.start({ deskAssistant: first.assistant, store: { ...bench.store, conversations } })
    const visitor = await bench.waiting(dying)
    const { accountId } = visitor
    const id = handoffOf(visitor)
    await bench.clock.advance(ROUND)
    first.answers[0]?.resolve(SUMMARY)
    await dying.desk.accept(accountId, id, ADA)
    await dying.desk.watch(accountId, () => {}, { liveAgentId: 'ben', queues: ['sales'] })
    await bench.clock.settle()
    void dying.desk.transfer(accountId, id, { queueName: 'sales' }).catch(() => {})
    await bench.clock.settle()
    expect(await bench.store.conversations.summaries.find(handoffOf(visitor, 2))).toMatchObject({
      ...{ status: 'pending', attempts: 0 },
    })
    const other = bench.start({ deskAssistant: second.assistant })
    await bench.clock.advance(ROUND)
    expect(second.asked.map(({ conversation }) => conversation.handoffId)).toEqual([handoffOf(visitor, 2)])
    second.answers[0]?.resolve(SUMMARY)
    await bench.clock.settle()
    expect(await statusOf(other, accountId, handoffOf(visitor, 2))).toMatchObject({ text: SUMMARY })
  })

  test('DK645 DK646 over HTTP: with the handoff, asked for again, bounded, and of the own account alone', async () => {
    const { accountId, clock, first, id, platform } = await waiting({
      rateLimits: { assistant: { perSecond: 1, burst: 1 } },
    })
    first.answers[0]?.resolve(SUMMARY)
    await clock.settle()
    const dispatcher = createDispatcher(platform, routes)
    const ask = async (line: string, key: string) => {
      const answer = await dispatcher.handle(request(line, { headers: { 'x-api-key': key } }))
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId })
    const path = `/desk/v1/handoffs/${id}`
    const at = new Date(clock.now()).toISOString()
    const summary = { status: 'done', text: SUMMARY, failure: null, at }
    expect((await ask(`GET ${path}`, secret)).json).toMatchObject({ summary, can_suggest: true })
    expect(await ask(`POST ${path}/summary`, secret)).toMatchObject({
      status: 202,
      json: { status: 'pending' },
    })
    expect((await ask(`POST ${path}/summary`, secret)).status).toBe(429)
    const other = await platform.access.createAccount({ slug: 'other', name: 'Other' })
    const foreign = await platform.access.createApiKey({ kind: 'desk', accountId: other.id })
    expect((await ask(`POST ${path}/summary`, foreign.secret)).status).toBe(404)
  })
})
