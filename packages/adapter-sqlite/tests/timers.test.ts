import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type ConversationId, createPlatform, type LiveAgents, type Platform } from '@colloquy/core'
import type { ConversationEvent } from '@colloquy/core/domain'
import type { Store } from '@colloquy/core/store'
import { createFakeClock, createScriptedRuntime, type FakeClock } from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runChild } from './children/child.ts'
import { openStore, temporaryStoreFile } from './files.ts'

/** How often a process looks for what it was not told of. */
const LOOK = 10_000
const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A process over the file. Once it is killed, nothing that it had begun goes on. */
interface Process {
  readonly platform: Platform
  readonly store: Store
  /** Messages that its live-agent system was handed, and `request` for each handoff. */
  readonly calls: readonly string[]
  kill(): void
}

function startProcess(filename: string, clock: FakeClock, hangs = false): Process {
  let dead = false
  const calls: string[] = []
  const store = openStore({ filename })
  const call = (name: string): Promise<void> => {
    calls.push(name)
    return hangs ? new Promise(() => {}) : Promise.resolve()
  }
  const liveAgents: LiveAgents = {
    request: () => call('request'),
    forward: (_, { text }) => call(text),
    cancel: () => call('cancel'),
    visitorTyping: async () => {},
  }
  const own = {
    now: clock.now,
    monotonic: clock.monotonic,
    schedule: (delay: number, task: () => void) => clock.schedule(delay, () => dead || task()),
  }
  const expected = async (turn: { expectExternalEvent(): Promise<string> }): Promise<string> =>
    `Event ${await turn.expectExternalEvent()}`
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      externalEvent: 'The event has come.',
      messages: {
        person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
        hang: hangs ? () => new Promise(() => {}) : 'Here I am.',
        pay: expected,
      },
    },
    own,
  )
  const platform = createPlatform({
    store,
    clock: own,
    runtime,
    rateLimits: null,
    liveAgents: () => liveAgents,
  })
  return {
    platform,
    store,
    calls,
    kill() {
      dead = true
    },
  }
}

/** Something that is due some time after the process that began it has died. */
interface Due {
  readonly what: string
  /** Milliseconds from the death to the moment. */
  readonly after: number
  begin(visitor: Visitor, dying: Process): Promise<void>
  happened(log: readonly ConversationEvent[], process: Process): boolean
}

const has = (log: readonly ConversationEvent[], type: ConversationEvent['type'], text?: string): boolean =>
  log.some(event => event.type === type && (text === undefined || event.payload.text === text))

const DUE: readonly Due[] = [
  {
    what: 'inactivity',
    after: 10 * MINUTE,
    begin: async () => {},
    happened: log => log.at(-1)?.payload.reason === 'REASON_USER_ABANDONED',
  },
  {
    what: 'the time-out of a queue',
    after: 5 * MINUTE,
    begin: visitor => visitor.say('person'),
    happened: log => has(log, 'HANDOFF_TIMEOUT'),
  },
  {
    what: 'the lease of a turn',
    after: 15 * SECOND,
    begin: visitor => visitor.say('hang'),
    happened: log => has(log, 'AI_AGENT_MESSAGE', 'Here I am.'),
  },
  {
    what: 'a call to the live-agent system',
    after: 15 * SECOND,
    begin: visitor => visitor.say('person'),
    happened: (_, { calls }) => calls.includes('request'),
  },
  {
    what: 'an external event that nobody has handed over',
    after: 0,
    async begin(visitor, { platform, store }) {
      await visitor.say('pay')
      const eventId = String(visitor.texts('AI_AGENT_MESSAGE').at(-1)).replace('Event ', '')
      // The process dies between taking the event and telling the conversation.
      await store.conversations.externalEvents.accept({
        eventId,
        accountId: visitor.accountId,
        agentId: visitor.agentId,
        contentType: 'text/plain',
        body: new Uint8Array(),
        receivedAt: contextOf(platform).clock.now(),
      })
    },
    happened: log => has(log, 'AI_AGENT_MESSAGE', 'The event has come.'),
  },
]

/** A process begins something and is killed. Resolves to the conversation and the moment at which it is due. */
async function beginAndDie(due: Due, filename: string, clock: FakeClock) {
  const dying = startProcess(filename, clock, true)
  const visitor = await openVisitor(dying.platform, clock)
  await visitor.join()
  await due.begin(visitor, dying)
  dying.kill()
  return { id: visitor.id, moment: clock.now() + due.after }
}

const happened = async (due: Due, process: Process, id: ConversationId): Promise<boolean> =>
  due.happened(await eventsOf(process.store.conversations, id, 0), process)

/** Lets time pass until it has happened; how long after its moment that was. */
async function lateness(due: Due, process: Process, id: ConversationId, clock: FakeClock, moment: number) {
  while (!(await happened(due, process, id)) && clock.now() < moment + MINUTE) await clock.advance(100)
  return clock.now() - moment
}

describe('timers are data', () => {
  it.each(DUE)('EM12 the next process makes good $what as soon as it starts', async due => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const { id } = await beginAndDie(due, filename, clock)
    await clock.advance(due.after + 5 * SECOND)
    const next = startProcess(filename, clock)
    await clock.settle()
    expect(await happened(due, next, id)).toBe(true)
  })

  it.each(DUE)('EM12 a process that starts before $what is due is on time', async due => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const { id, moment } = await beginAndDie(due, filename, clock)
    await clock.advance(Math.max(0, due.after - 2_300))
    const next = startProcess(filename, clock)
    await clock.settle()
    if (due.after > 0) expect(await happened(due, next, id)).toBe(false)
    expect(await lateness(due, next, id, clock, moment)).toBeLessThanOrEqual(SECOND)
  })

  it.each(DUE)('EM12 a process that was never told is on time with $what', async due => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const other = startProcess(filename, clock)
    // Its worker has slept and woken for a while when the other process writes its moments.
    await clock.advance(1_700)
    const { id, moment } = await beginAndDie(due, filename, clock)
    // What is further ahead than a look it knows of in time.
    const most = due.after > LOOK ? SECOND : LOOK
    expect(await lateness(due, other, id, clock, moment)).toBeLessThanOrEqual(most)
  })

  it('EM12 what a process killed by the system leaves is done by the next one', async () => {
    const filename = temporaryStoreFile()
    const child = runChild(new URL('./children/converse.ts', import.meta.url), [filename])
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    const ids: ConversationId[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      ids.push(...line.split(' ').map(id => id))
      child.kill('SIGKILL')
    }
    expect(await closed).toEqual([null, 'SIGKILL'])
    expect(ids).toHaveLength(2)
    const clock = createFakeClock(Date.now() + 16 * SECOND)
    const next = startProcess(filename, clock)
    const logs = () => Promise.all(ids.map(id => eventsOf(next.store.conversations, id, 0)))
    await clock.settle()
    const [asked = [], waiting = []] = await logs()
    expect(has(asked, 'AI_AGENT_MESSAGE', 'Here I am.')).toBe(true)
    expect(next.calls).toEqual(['request'])
    expect(has(waiting, 'HANDOFF_TIMEOUT')).toBe(false)
    await clock.advance(5 * MINUTE)
    expect((await logs()).map(log => log.at(-1)?.type)).toEqual(['AI_AGENT_MESSAGE', 'HANDOFF_TIMEOUT'])
    await clock.advance(5 * MINUTE)
    expect((await logs()).map(log => log.at(-1)?.type)).toEqual(['SESSION_END', 'SESSION_END'])
  })
})
