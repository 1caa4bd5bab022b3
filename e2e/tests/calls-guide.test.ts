import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Platform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock } from '@colloquy/core/testing'
import { createFetchHandler } from '@colloquy/core/transport'
import { commandsOf, requestOf } from '@colloquy/test-support/guide-commands'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { carrierEvent, createCarrier, createHost } from '../calls-guide/host.ts'
import { recordSaid } from '../calls-guide/record-said.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../../docs/guides/calls.md')
const SERVER = 'https://agents.example.com'

const askedSchema = z.object({
  ...{ to: z.string(), from: z.string().nullable(), encryption: z.string(), events: z.string() },
  headers: z.record(z.string(), z.string()),
})
type Asked = z.output<typeof askedSchema>

/** A carrier on a port of its own, and what it was asked for. */
async function startCarrier(status = 200) {
  const asked: Asked[] = []
  const states = new Map<string, object>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const state = states.get(request.url ?? '')
      response.writeHead(state === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(state ?? {}))
      return
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push(askedSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: `CA-${asked.length}` }))
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, states, url: `http://127.0.0.1:${port}` }
}

async function setUp(platform: Platform) {
  onTestFinished(() => platform.close())
  const { access, agents, telephony } = platform
  const { id: accountId } = await access.createAccount({
    ...{ accountId: 'ws-harbour', slug: 'harbour', name: 'Harbour' },
  })
  const agentId = 'PROJECT-harbour'
  await agents.create({ accountId, agentId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const line = await access.createTelephonyConnector({
    accountId,
    agentId,
    environment: 'live',
    name: 'Calls',
  })
  await telephony.importNumbers(agentId, { phoneNumbers: ['+442079460018'], connectorId: line.id })
  const { secret } = await access.createApiKey({ kind: 'workspace', accountId })
  const fetch = createFetchHandler(platform, { trustProxy: 1 })
  const variables: Record<string, string> = { WORKSPACE_KEY: secret }
  const commands = commandsOf(PAGE)
  const run = async (index: number) => {
    const answer = await fetch(requestOf(commands[index] ?? '', { variables }))
    return { status: answer?.status, json: JSON.parse((await answer?.text()) ?? 'null') }
  }
  return { accountId, agentId, run, variables }
}

/** What the carrier posts of a call. */
const post = (platform: Platform, { events }: Asked, event: object) =>
  carrierEvent(platform, new Request(events, { method: 'POST', body: JSON.stringify(event) }))

const options = () => ({
  ...{ store: createMemoryStore(), log: silentLog, onError: () => undefined },
  runtime: { async *respond() {} },
})

test('DO8 the guide leads from a host to a call, its states, and what was said in it', async () => {
  const carrier = await startCarrier()
  const platform = createHost(options(), createCarrier(carrier.url, `${SERVER}/carrier`))
  const { accountId, agentId, run, variables } = await setUp(platform)
  const placed = await run(0)
  expect(placed).toMatchObject({ status: 200, json: { status: 'QUEUED' } })
  const { callSid } = placed.json
  variables.CALL_SID = callSid
  const [asked] = carrier.asked
  if (asked === undefined) throw new Error('The carrier was not asked.')
  expect(asked).toEqual({
    ...{ to: '+442079460030', from: '+442079460018', encryption: 'tls_srtp' },
    ...{ headers: { booking: 'H-2207' }, events: `${SERVER}/carrier?call=${callSid}` },
  })
  const states: unknown[] = []
  for (const event of [{ state: 'ringing' }, { state: 'answered' }]) {
    expect((await post(platform, asked, event)).status).toBe(204)
    states.push((await run(1)).json.status)
  }
  const said = { userInput: 'Yes?', userInputAt: Date.now(), agentResponse: 'Your table is ready.' }
  await recordSaid(platform, { agentId, callSid, number: 1 }, said)
  await post(platform, asked, { state: 'completed' })
  states.push((await run(1)).json.status)
  expect(states).toEqual(['CALLING', 'CALLING', 'SUCCESS'])
  const record = await platform.reading.record(accountId, agentId, callSid)
  expect(record?.summary.value).toMatchObject({ channel: 'VOICE-SIP', num_turns: 1, in_progress: false })
})

test('DO8 a carrier that refuses is 502, and what it posts of a failure is the reason', async () => {
  const away = await startCarrier(503)
  const failing = createHost(options(), createCarrier(away.url, `${SERVER}/carrier`))
  expect(await (await setUp(failing)).run(0)).toMatchObject({
    ...{ status: 502, json: { error_code: 'CALLS_PROVIDER_FAILED' } },
  })
  const carrier = await startCarrier()
  const platform = createHost(options(), createCarrier(carrier.url, `${SERVER}/carrier`))
  const { run, variables } = await setUp(platform)
  variables.CALL_SID = (await run(0)).json.callSid
  for (const asked of carrier.asked) await post(platform, asked, { state: 'busy' })
  expect((await run(1)).json).toMatchObject({ status: 'FAILURE', reason: 'busy' })
})

test('DO8 a call of which the carrier posts nothing is asked for at the carrier', async () => {
  const carrier = await startCarrier()
  const clock = createFakeClock(Date.now())
  const platform = createHost({ ...options(), clock }, createCarrier(carrier.url, `${SERVER}/carrier`))
  const { run, variables } = await setUp(platform)
  variables.CALL_SID = (await run(0)).json.callSid
  const status = async () => (await run(1)).json.status
  for (const [state, told] of [
    [{ state: 'answered' }, 'CALLING'],
    [{ state: 'completed' }, 'SUCCESS'],
  ] as const) {
    carrier.states.set('/calls/CA-1', state)
    await clock.advance(61_000)
    await expect.poll(status).toBe(told)
  }
  variables.CALL_SID = (await run(0)).json.callSid
  await clock.advance(121_000)
  await expect.poll(status).toBe('FAILURE')
})
