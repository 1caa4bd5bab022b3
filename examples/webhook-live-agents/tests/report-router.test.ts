import { createServer } from 'node:http'
import { contextOf } from '@colloquy/test-support/context-of'
import { eventsOf } from '@colloquy/test-support/stored'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listen, stop } from '../src/listen.ts'
import { createReportRouter } from '../src/report-router.ts'
import { createSigner } from '../src/signature.ts'
import { CALL_SECRET, openRoad, PAT, REPORT_SECRET } from './support/road.ts'

type Road = Awaited<ReturnType<typeof openRoad>>

/** A visitor who waits, behind a help desk whose own reports do not get through. */
async function openWaiting(): Promise<
  Road & { handoffId: string; report: (detail: object) => Promise<Answer> }
> {
  const road = await openRoad()
  road.reports.set(() => 503)
  road.visitor.say('person')
  await road.reports.until(({ body }) => body.type === 'accepted')
  const { accountId, sessionId } = road.session
  const about = { handoff_id: `${sessionId}.1`, account_id: accountId }
  const report = (detail: object) => post(road.host.reportUrl, JSON.stringify({ ...about, ...detail }))
  return { ...road, handoffId: about.handoff_id, report }
}

const answerSchema = z.strictObject({
  error: z.string().exactOptional(),
  handoff_status: z.string().exactOptional(),
  status: z.string().exactOptional(),
})

interface Answer {
  readonly status: number
  readonly body: z.output<typeof answerSchema>
}

async function post(
  url: string,
  body: string,
  signed: { readonly secret?: string; readonly at?: number; readonly body?: string } = {},
): Promise<Answer> {
  const request = { id: 'report', at: signed.at ?? Date.now(), body: signed.body ?? body }
  const headers = {
    'content-type': 'application/json',
    ...createSigner(signed.secret ?? REPORT_SECRET)(request),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: answerSchema.parse(await response.json()) }
}

const ofType = async ({ platform, session }: Road, type: string) =>
  (await eventsOf(contextOf(platform).store.conversations, session.sessionId, 0)).filter(
    event => event.type === type,
  )

test('WL2 what is not signed, signed for the other direction, changed on its way or old is refused and changes nothing', async () => {
  const road = await openWaiting()
  const url = road.host.reportUrl
  const body = JSON.stringify({ type: 'accepted', handoff_id: road.handoffId, account_id: 'a' })
  const unsigned = await fetch(url, { method: 'POST', body })
  expect(unsigned.status).toBe(401)
  expect((await post(url, body, { secret: CALL_SECRET })).status).toBe(401)
  expect((await post(url, body, { body: body.replace('accepted', 'left') })).status).toBe(401)
  const old = await post(url, body, { at: Date.now() - 302_000 })
  expect(old.status).toBe(401)
  expect(old.body.error).toMatch(/^The timestamp is 30\d s old; at most 300 s are allowed\.$/)
  expect(await ofType(road, 'HANDOFF_ACCEPTED')).toEqual([])
})

test('WL4 what is no report is refused with what was wrong', async () => {
  const road = await openWaiting()
  const url = road.host.reportUrl
  expect(await post(url, '{"type":')).toEqual({ status: 400, body: { error: 'The body is not JSON.' } })
  expect((await road.report({ type: 'dance' })).body.error).toMatch(/^type: /)
  expect((await road.report({ type: 'joined', agent: { id: 'a' } })).body.error).toMatch(/^agent\.name: /)
  expect((await road.report({ type: 'message', message_id: 'ä', text: 'x' })).body.error).toMatch(
    /^message_id: expected 1 to 128/,
  )
  const long = await road.report({ type: 'message', message_id: 'm', text: 'x'.repeat(100_001) })
  expect(long).toMatchObject({ status: 400, body: { error: expect.stringMatching(/text.*100,?000/) } })
  expect((await post(url, 'x'.repeat(1_048_577))).body.error).toBe('A body has at most 1048576 bytes.')
  const get = await fetch(url)
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
})

test('WL4 a router behind a body parser says so to its host', async () => {
  const road = await openWaiting()
  const errors: unknown[] = []
  const { platform } = road
  const settings = { ...platform.settings, onError: (error: unknown) => errors.push(error) }
  const app = express()
  app.use(express.json())
  app.use('/', createReportRouter({ ...platform, settings }, { secret: REPORT_SECRET }))
  const server = createServer(app)
  onTestFinished(() => stop(server))
  const answer = await post(await listen(server, 0), '{"type":"accepted"}')
  expect(answer).toEqual({ status: 500, body: { error: 'Internal error. Send it again.' } })
  expect(String(errors[0])).toContain('before body parsers')
})

test('WL4 a handoff that never was, or is another account’s, is 404', async () => {
  const road = await openWaiting()
  const never = await road.report({ type: 'accepted', handoff_id: `${road.session.sessionId}.2` })
  expect(never.status).toBe(404)
  expect((await road.report({ type: 'accepted', handoff_id: 'nonsense' })).status).toBe(404)
  const foreign = await road.report({ type: 'typing', state: 'started', account_id: 'other' })
  expect(foreign.body.error).toBe(`There is no handoff ${road.handoffId} of other.`)
})

test('WL4 what has no place says where the handoff is, and changes nothing', async () => {
  const road = await openWaiting()
  const message = { type: 'message', message_id: 'm1', text: 'Hello' }
  expect(await road.report(message)).toEqual({
    status: 409,
    body: {
      error: 'The handoff is requested: "message" is not allowed in that state.',
      handoff_status: 'requested',
    },
  })
  await road.report({ type: 'joined', agent: PAT })
  const second = await road.report({ type: 'joined', agent: { ...PAT, id: 'other' } })
  expect([second.status, second.body.handoff_status]).toEqual([409, 'active'])
  expect((await road.report({ type: 'failed' })).body.handoff_status).toBe('active')
  await road.report({ type: 'left' })
  expect((await road.report(message)).body.handoff_status).toBe('over')
  expect(await ofType(road, 'LIVE_AGENT_MESSAGE')).toEqual([])
})

test('WL8 every report may come again: it is answered the same, and its effect stands once', async () => {
  const road = await openWaiting()
  const reports = [
    { type: 'accepted' },
    { type: 'joined', agent: PAT },
    { type: 'message', message_id: 'm1', text: 'Hello' },
    { type: 'left', reason: 'done' },
  ]
  for (const report of reports)
    for (let times = 0; times < 2; times++)
      expect(await road.report(report)).toEqual({ status: 200, body: { status: 'taken' } })
  for (const type of ['HANDOFF_ACCEPTED', 'LIVE_AGENT_JOINED', 'LIVE_AGENT_MESSAGE', 'LIVE_AGENT_LEFT'])
    expect(await ofType(road, type)).toHaveLength(1)
})

test('WL8 places, typing and attachments reach the visitor', async () => {
  const road = await openWaiting()
  await road.report({ type: 'accepted' })
  await road.report({ type: 'queue_status', position: 3, estimated_wait_seconds: 60 })
  const status = await road.visitor.next('HANDOFF_QUEUE_STATUS')
  expect(status.payload).toEqual({
    queue: 'reception',
    position: 3,
    estimatedWaitSeconds: 60,
    message: '',
  })
  await road.report({ type: 'joined', agent: PAT })
  await road.report({ type: 'typing', state: 'started' })
  const typing = await road.visitor.next('LIVE_AGENT_TYPING')
  expect(typing.payload).toEqual({ typing: true, agentId: 'pat' })
  const attachment = {
    title: 'Plan',
    content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
    content_url: 'https://example.com/plan',
  }
  await road.report({ type: 'message', message_id: 'm1', text: 'Here', attachments: [attachment] })
  const message = await road.visitor.next('LIVE_AGENT_MESSAGE')
  expect(message.payload).toMatchObject({
    messageId: 'm1',
    text: 'Here',
    attachments: [{ kind: 'url', title: 'Plan', url: 'https://example.com/plan' }],
  })
})
