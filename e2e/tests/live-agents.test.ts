import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { greetedVisitor } from '@colloquy/test-support/demo'
import { run } from '@colloquy/test-support/program'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, onTestFinished, test } from 'vitest'
import { programAt } from '../../scripts/programs/program.ts'
import { type Helpdesk, report, viaHelpdesk } from '../src/helpdesk.ts'

test('DO8 the live agent of the page takes a visitor of the standalone server, answers and leaves', async () => {
  const server = await startStandalone(await startedBefore())
  const environment = { SERVER: server.url, DESK_KEY: CREDENTIALS.COLLOQUY_DESK_KEY }
  const program = run(process.execPath, programAt('e2e/src/live-agent.ts'), environment)
  const { visitor } = await greetedVisitor(server)
  visitor.say('I want to speak to a person')
  await visitor.next('LIVE_AGENT_JOINED')
  expect(await program.line(/^Accepted/)).toBe('Accepted, after lines: 3')
  const next = async () => (await visitor.next('LIVE_AGENT_MESSAGE')).payload.text
  expect(await next()).toBe('Ada here. What can I do for you?')
  visitor.say('My key is stuck')
  expect(await next()).toBe('I will see to it.')
  visitor.say('Bye')
  await visitor.next('SESSION_END')
  await program.line(/^Ended: /)
  expect(program.output.stderr).toBe('')
})

/** A helpdesk that keeps its tickets in memory and, as it promises, takes each key once. */
function createHelpdesk() {
  const opened: string[] = []
  const comments = new Map<string, string>()
  const closed: string[] = []
  const helpdesk: Helpdesk = {
    async openTicket({ key, queue, subject }) {
      if (!opened.includes(`${key} ${queue} ${subject}`)) opened.push(`${key} ${queue} ${subject}`)
    },
    async addComment({ key, text }) {
      comments.set(key, text)
    },
    async closeTicket(_, reason) {
      closed.push(reason)
    },
  }
  return { helpdesk, opened, comments, closed }
}

/** A platform whose live agents sit in the helpdesk. */
function open(helpdesk: Helpdesk) {
  const clock = createFakeClock()
  const person = ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' } as const]
  const platform = createPlatform({
    store: createSqliteStore({ filename: ':memory:' }),
    runtime: createScriptedRuntime({ greeting: 'Welcome.', messages: { person } }, clock),
    liveAgents: viaHelpdesk(helpdesk),
    clock,
    rateLimits: null,
  })
  onTestFinished(() => platform.close())
  return { platform, clock }
}

test('DO8 the helpdesk of the page gets a ticket and the messages, and its people answer the visitor', async () => {
  const { helpdesk, opened, comments, closed } = createHelpdesk()
  const { platform, clock } = open(helpdesk)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('person')
  await visitor.say('It is urgent')
  const ticket = `${visitor.id}.1`
  expect(opened).toEqual([`${ticket} reception asked`])
  const person = { id: 'p1', name: 'Pat' }
  expect(await report(platform.liveAgents, { ticket, type: 'assigned', person })).toBe(true)
  expect(await report(platform.liveAgents, { ticket, type: 'assigned', person })).toBe(false)
  await clock.settle()
  expect([...comments.values()]).toEqual(['It is urgent'])
  for (let times = 0; times < 2; times++)
    expect(await report(platform.liveAgents, { ticket, type: 'comment', key: 'c1', text: 'On my way' })).toBe(
      true,
    )
  await visitor.say('Thank you')
  expect([...comments.values()]).toEqual(['It is urgent', 'Thank you'])
  expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['On my way'])
  expect(await report(platform.liveAgents, { ticket, type: 'solved' })).toBe(true)
  expect(visitor.types().slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_END'])
  expect(closed).toEqual([])
})

test('DO8 the helpdesk of the page refuses, or is told that the visitor has gone', async () => {
  const { helpdesk, closed } = createHelpdesk()
  const { platform, clock } = open(helpdesk)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('person')
  const ticket = (ordinal: number) => `${visitor.id}.${ordinal}`
  expect(await report(platform.liveAgents, { ticket: ticket(1), type: 'refused', reason: 'closed' })).toBe(
    true,
  )
  expect(visitor.received.at(-1)?.payload).toEqual({ reason: 'closed' })
  await visitor.say('person')
  await visitor.end()
  await clock.settle()
  expect(closed).toEqual(['visitor ended'])
  expect(await report(platform.liveAgents, { ticket: ticket(2), type: 'solved' })).toBe(false)
})
