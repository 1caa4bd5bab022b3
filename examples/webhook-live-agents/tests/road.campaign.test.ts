import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contextOf } from '@colloquy/test-support/context-of'
import { run } from '@colloquy/test-support/program'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { programArguments } from '../../../scripts/programs/program.ts'
import { createPost } from '../src/post-signed.ts'
import { openGate, type Passage } from './support/gate.ts'
import { CALL_SECRET, freshFolder, openHelpDesk, openRoad, openVisitor, PAT } from './support/road.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const HOST_PROGRAM = new URL('support/host-program.ts', import.meta.url)

type Road = Awaited<ReturnType<typeof openRoad>>

/** A visitor who has been taken by somebody at the help desk. */
async function openTalk(): Promise<Road> {
  const road = await openRoad()
  road.visitor.say('person')
  await road.desk.untilTicket(({ status }) => status === 'waiting')
  road.desk.helpDesk.act(1, { type: 'join', person: PAT })
  await road.visitor.next('LIVE_AGENT_JOINED')
  return road
}

/** What the help desk and the visitor are shown comes over two roads: each keeps its own order. */
function roads(text: string): { readonly desk: readonly string[]; readonly visitor: readonly string[] } {
  const lines = text
    .trim()
    .split('\n')
    .map(line => line.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1'))
    .filter(line => !line.endsWith('…') && !line.startsWith('* You are number'))
  const isDesk = (line: string): boolean => line.startsWith('[help desk]')
  return { desk: lines.filter(isDesk), visitor: lines.filter(line => !isDesk(line)) }
}

test('WL1 the session of the readme goes as it stands there', async () => {
  const [command = ''] = [...README.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body)
  const [, shown = ''] = /^```text\n(.*?)^```$/ms.exec(README) ?? []
  const program = run('sh', ['-c', command])
  expect(await program.exit, program.output.stderr).toBe(0)
  expect(roads(program.output.stdout)).toEqual(roads(shown))
  expect(roads(shown).desk.length).toBeGreaterThan(2)
})

test('WL1 a visitor waits, is taken, talks and is let go', async () => {
  const { visitor, desk, session } = await openRoad()
  visitor.say('person')
  await visitor.next('HANDOFF_ACCEPTED')
  expect((await visitor.next('HANDOFF_QUEUE_STATUS')).payload).toMatchObject({
    position: 1,
  })
  expect(desk.ticket()).toMatchObject({
    handoffId: `${session.sessionId}.1`,
    queue: 'reception',
    reason: 'asked',
  })
  expect(desk.ticket()?.transcript.map(({ text }) => text)).toEqual(['Welcome.', 'person', 'One moment.'])
  visitor.say('Are you there?')
  desk.helpDesk.act(1, { type: 'join', person: PAT })
  expect((await visitor.next('LIVE_AGENT_JOINED')).payload).toMatchObject({ id: 'pat', name: 'Pat' })
  desk.helpDesk.act(1, { type: 'say', id: 'line-1', text: 'Pat here.' })
  expect(await visitor.text('LIVE_AGENT_MESSAGE')).toBe('Pat here.')
  await desk.untilTicket(({ lines }) => lines.some(({ text }) => text === 'Are you there?'))
  desk.helpDesk.act(1, { type: 'leave' })
  await visitor.next('SESSION_END')
})

test('WL8 a system that is down fails the handoff, and the agent answers again', async () => {
  const { calls, visitor, desk } = await openRoad()
  calls.set(() => 503)
  visitor.say('person')
  await visitor.next('HANDOFF_FAILED')
  expect(calls.requests.map(({ body }) => body.type)).toEqual(Array(3).fill('handoff.requested'))
  expect(desk.helpDesk.tickets()).toEqual([])
  visitor.say('Is it open?')
  expect(await visitor.text('AI_AGENT_MESSAGE')).toBe('Yes.')
})

test('WL8 a message that the system did not take is told to its sender', async () => {
  const { calls, visitor } = await openTalk()
  calls.set(() => 503)
  visitor.say('My key is stuck')
  const told = await visitor.next('SYSTEM_MESSAGE')
  expect(told.payload).toMatchObject({ message: 'Failed to forward message to live agent' })
})

test('WL8 the help desk sends a visitor back', async () => {
  const { desk, visitor } = await openRoad()
  visitor.say('person')
  await desk.untilTicket(({ status }) => status === 'waiting')
  desk.helpDesk.act(1, { type: 'refuse', reason: 'closed on Sundays' })
  const failed = await visitor.next('HANDOFF_FAILED')
  expect(failed.payload).toEqual({ reason: 'closed on Sundays' })
})

/** Of three requests one does not go through, and of one the answer is lost. */
function createShaky(): () => Passage {
  let count = 0
  const passages: readonly Passage[] = [503, 'lose answer', 'pass']
  return () => passages[count++ % passages.length] ?? 'pass'
}

test('calls and reports keep their order, also when some of them have to be sent again', async () => {
  const { calls, reports, desk, visitor } = await openTalk()
  calls.set(createShaky())
  reports.set(createShaky())
  const numbers = Array.from({ length: 5 }, (_, index) => `${index}`)
  for (const text of numbers) visitor.say(text)
  for (const text of numbers)
    desk.helpDesk.act(1, { type: 'say', id: `line-${text}`, text: `answer ${text}` })
  await desk.untilTicket(({ lines }) => lines.filter(({ from }) => from === 'visitor').length === 5)
  const said = desk.ticket()?.lines.filter(({ from }) => from === 'visitor')
  expect(said?.map(({ text }) => text)).toEqual(numbers)
  const heard: string[] = []
  for (const _ of numbers) heard.push(await visitor.text('LIVE_AGENT_MESSAGE'))
  expect(heard).toEqual(numbers.map(text => `answer ${text}`))
})

const startedSchema = z.object({
  reportUrl: z.string(),
  session: z.object({ sessionId: z.string(), accessToken: z.string() }).nullable(),
})

async function startHostProgram(environment: Readonly<Record<string, string>>) {
  const program = run(process.execPath, programArguments(HOST_PROGRAM), environment)
  return { program, ...startedSchema.parse(JSON.parse(await program.line(/reportUrl/))) }
}

test('WL8 a platform that is killed before a call was confirmed makes it again, and the help desk takes it once', async () => {
  let reportUrl = ''
  const reports = await openGate(() => reportUrl)
  const desk = await openHelpDesk({ reportUrl: reports.url })
  const calls = await openGate(() => desk.helpDesk.url)
  const DATABASE = join(await freshFolder(), 'colloquy.db')
  const environment = { DATABASE, HELP_DESK: calls.url }
  const first = await startHostProgram({ ...environment, NEW_SESSION: '1' })
  if (first.session === null) throw new Error('a session was asked for')
  reportUrl = first.reportUrl
  const PORT = new URL(reportUrl).port
  const visitor = openVisitor(reportUrl, {
    ...first.session,
    sessionId: first.session.sessionId,
  })
  visitor.join()
  await visitor.text('AI_AGENT_MESSAGE')

  // The request arrives, its answer does not: the platform that made it is gone.
  calls.set(() => 'hold answer')
  visitor.say('person')
  await calls.until(({ body }) => body.type === 'handoff.requested')
  first.program.kill('SIGKILL')
  await first.program.exit
  calls.set(() => 'pass')
  const second = await startHostProgram({ ...environment, PORT })
  await calls.until(({ body }) => body.type === 'handoff.requested', 2)
  desk.helpDesk.act(1, { type: 'join', person: PAT })
  await visitor.next('LIVE_AGENT_JOINED')
  expect(desk.helpDesk.tickets()).toHaveLength(1)

  // The same for a message.
  calls.set(() => 'hold answer')
  visitor.say('My key is stuck')
  await calls.until(({ body }) => body.type === 'visitor.message')
  second.program.kill('SIGKILL')
  await second.program.exit
  calls.set(() => 'pass')
  desk.helpDesk.act(1, { type: 'say', id: 'line-1', text: 'Coming.' })
  await desk.untilTrouble(/^message: /)
  await startHostProgram({ ...environment, PORT })
  await calls.until(({ body }) => body.message?.text === 'My key is stuck', 2)
  expect(await visitor.text('LIVE_AGENT_MESSAGE')).toBe('Coming.')
  expect(desk.linesOf()).toEqual(['visitor: My key is stuck', 'person: Coming.'])
  const ids = calls.requests.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  expect(ids).toHaveLength(4)
  expect(visitor.journal.map(({ sequence }) => sequence)).toEqual(
    visitor.journal.map((_, index) => index + 1),
  )
})

test('WL8 a help desk that is restarted goes on where it was: nothing of either side is lost or doubled', async () => {
  const { calls, reports, desk, file, visitor } = await openTalk()
  visitor.say('My key is stuck')
  await desk.untilTicket(({ lines }) => lines.length === 1)
  // Said, and not confirmed when the help desk goes down: once it got there and once it did not.
  let attempts = 0
  reports.set(() => (attempts++ === 0 ? 'lose answer' : 503))
  desk.helpDesk.act(1, { type: 'say', id: 'line-1', text: 'Coming.' })
  desk.helpDesk.act(1, { type: 'say', id: 'line-2', text: 'Nearly there.' })
  await desk.untilTrouble(/^message: .*503/)
  const port = Number(new URL(desk.helpDesk.url).port)
  await desk.helpDesk.close()
  reports.set(() => 'pass')
  const again = await openHelpDesk({ reportUrl: reports.url, file, port })
  expect(await visitor.text('LIVE_AGENT_MESSAGE')).toBe('Coming.')
  expect(await visitor.text('LIVE_AGENT_MESSAGE')).toBe('Nearly there.')
  calls.set(() => 'pass')
  visitor.say('Thank you')
  await again.untilTicket(({ lines }) => lines.length === 4)
  expect(again.linesOf()).toEqual([
    'visitor: My key is stuck',
    'person: Coming.',
    'person: Nearly there.',
    'visitor: Thank you',
  ])
  await again.helpDesk.idle()
  const said = visitor.journal.filter(({ name }) => name === 'LIVE_AGENT_MESSAGE')
  expect(said).toHaveLength(2)
})

test('WL8 what was said while the visitor had gone is let go of', async () => {
  const { desk, visitor, reports } = await openTalk()
  reports.set(() => 503)
  desk.helpDesk.act(1, { type: 'say', id: 'line-1', text: 'Coming.' })
  await desk.untilTrouble(/503/)
  visitor.end()
  await desk.untilTicket(({ status }) => status === 'closed')
  expect(desk.ticket()).toMatchObject({ note: 'visitor ended', reports: [] })
  expect(() => desk.helpDesk.act(1, { type: 'say', id: 'line-2', text: 'Hello?' })).toThrow(
    'Ticket 1 is closed: it has to be active to say.',
  )
})

test('a request that comes after its own end opens nothing', async () => {
  const { calls, desk, visitor, platform, session } = await openRoad()
  const wasRequested = ({ body }: (typeof calls.requests)[number]): boolean =>
    body.type === 'handoff.requested'
  calls.set(request => (wasRequested(request) ? 400 : 'pass'))
  visitor.say('person')
  await visitor.next('HANDOFF_FAILED')
  // What a network may do: the end first, then the request.
  const { clock } = contextOf(platform)
  const post = createPost({ url: desk.helpDesk.url, secret: CALL_SECRET, clock, timeout: 5_000 })
  const [requested] = calls.requests
  if (requested === undefined) throw new Error('a request was made')
  const cancelled = { ...requested.body, type: 'handoff.cancelled', reason: 'visitor left' }
  expect((await post('cancel', cancelled)).status).toBe(200)
  expect((await post('request', requested.body)).status).toBe(200)
  expect(desk.helpDesk.tickets()).toHaveLength(1)
  expect(desk.ticket()).toMatchObject({
    handoffId: `${session.sessionId}.1`,
    status: 'closed',
    note: 'visitor left',
    reports: [],
  })
})
