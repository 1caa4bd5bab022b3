// Slow: calls sound in the time of speech, and connections are made with real keys.
import { type Clock, createLocalBus, createPlatform, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createMemoryFiles, openSocketPair } from '@colloquy/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { samplesOf } from '../../src/audio/pcm.ts'
import type { Speaker } from '../../src/index.ts'
import { voiceOf } from './support/rtc-client.ts'
import { humming, parrot, startRtcHost } from './support/rtc-host.ts'

test('VG61 a client walks the steps of the kits, speaks with the agent and hears it, and the call ends as it should', async () => {
  const host = await startRtcHost({ texts: ['May I bring my dog'] })
  const client = host.client()
  expect(await client.connect()).toBeNull()
  await client.call()
  expect(client.errors()).toEqual([])
  expect(client.state).toBe('connected')
  expect(client.sessionId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await host.active()).toBe(1)
  // 'Welcome.' has eight characters of 20 milliseconds.
  await client.until(() => client.loudMs() >= 140)
  client.say(600)
  await client.until(() => client.loudMs() >= 160 + 500)
  expect(host.dictation.heard[0]?.loudest).toBeGreaterThan(4_000)
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  expect(client.closed).toEqual({ code: 1000, reason: 'call over' })
  await expect.poll(() => host.active()).toBe(0)
  await expect
    .poll(async () => (await host.recorded())[0]?.map(({ what, text }) => (what === 'said' ? text : what)))
    .toEqual([
      'Welcome.',
      'May I bring my dog',
      'You said May I bring my dog. And that was all of it.',
      'ended',
    ])
  expect(host.errors).toEqual([])
})

test('VG69 a client is told each second of sound how much was sent', async () => {
  const host = await startRtcHost({ texts: ['May I bring my dog'] })
  const client = host.client()
  await client.connect()
  await client.call()
  // What is said before the call has begun is not heard.
  await client.until(() => client.loudMs() >= 140)
  client.say(600)
  await client.until(() => client.reports.length >= 2 && client.received.length > 60)
  const [first, second] = client.reports
  expect(first?.packetCount).toBe(1)
  const sent = (second?.packetCount ?? 0) - 1
  expect(((second?.rtpTimestamp ?? 0) - (first?.rtpTimestamp ?? 0)) / 960).toBeGreaterThanOrEqual(50)
  expect(client.received.slice(0, sent + 1).at(-1)?.timestamp).toBe(second?.rtpTimestamp)
  expect(second?.octetCount).toBeGreaterThan(sent)
})

test('VG10 a speaker that pauses is no caller who plays nothing', async () => {
  let [ahead, ticks] = [0, 0]
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + ahead,
    schedule: (delay, task, options) =>
      systemClock.schedule(
        delay,
        () => {
          task()
          // The deadlines of calls are looked at four times a second.
          if (delay === 250) ticks++
        },
        options,
      ),
  }
  let goOn = (): void => {}
  const gate = new Promise<void>(resolve => {
    goOn = resolve
  })
  const speaker: Speaker = {
    async *speak(text, options) {
      yield* humming.speak('Hello', options)
      await gate
      yield* humming.speak(text, options)
    },
  }
  const host = await startRtcHost({ voice: { clock, speaker, speechDeadline: 110_000 } })
  const client = host.client()
  await client.connect()
  await client.call()
  // All that there is, and the silence behind it.
  await client.until(() => client.received.length >= 8)
  ahead = 31_000
  const before = ticks
  await expect.poll(() => ticks).toBeGreaterThan(before + 1)
  goOn()
  await client.until(() => client.loudMs() >= 200)
  expect(client.closed).toBeNull()
  expect(host.errors).toEqual([])
})

test('VG62 a token that is wrong, missing or of another host opens no call, and a call of another account none', async () => {
  const host = await startRtcHost()
  const refusals: readonly (readonly [object, object, string])[] = [
    [{ token: 'wrong' }, {}, 'UNAUTHORIZED'],
    [{}, { authToken: '' }, 'UNAUTHORIZED'],
    [{ headers: { origin: 'https://evil.example' } }, {}, 'FORBIDDEN'],
    [{}, { accountId: 'ws-other' }, 'FORBIDDEN'],
    [{}, { projectId: 'PROJECT-OTHER' }, 'FORBIDDEN'],
    [{}, { mode: 'echo' }, 'FORBIDDEN'],
  ]
  for (const [options, more, code] of refusals) {
    const client = host.client(options)
    await client.connect()
    await client.call(more)
    await client.until(() => client.closed !== null)
    expect([client.errors(), client.closed?.code]).toEqual([[code], 1008])
  }
  const client = host.client({ headers: { origin: 'https://www.hotel.example' } })
  await client.connect()
  await client.call({ accountId: host.accountId, projectId: host.agentId, variantId: 'any', mode: 'agent' })
  expect(client.state).toBe('connected')
  expect(host.errors).toEqual([])
})

test('VG62 the token of another account opens its own agent and never this one', async () => {
  const host = await startRtcHost()
  const { access, agents } = host.platform
  const { id: accountId } = await access.createAccount({ slug: 'other', name: 'Other' })
  const { id: agentId } = await agents.create({ accountId, name: 'Other', greeting: 'Other.' })
  await agents.publish(agentId, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['other.example'] },
  })
  const client = host.client({ token })
  await client.connect()
  await client.call({ accountId: host.accountId })
  await client.until(() => client.closed !== null)
  expect(client.errors()).toEqual(['FORBIDDEN'])
})

test('VG63 where the host allows it, callers hear themselves, and no conversation is made', async () => {
  const host = await startRtcHost({ voice: { allowEcho: true } })
  const client = host.client()
  await client.connect()
  await client.call({ mode: 'echo' })
  client.sound(voiceOf(400, 8_000))
  await client.until(() => client.loudMs() >= 300)
  expect(await host.recorded()).toEqual([])
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  await expect.poll(() => host.active()).toBe(0)
})

test('VG66 an offer without audio, with another codec, or that is none, may be sent again as it should be', async () => {
  const host = await startRtcHost()
  const client = host.client({ mimeType: 'audio/PCMU' })
  await client.connect()
  await client.call()
  expect(client.errors()).toEqual(['INVALID_ARGUMENT'])
  client.send({ type: 'offer', authToken: host.token, data: { type: 'offer', sdp: 'v=0\r\nhello' } })
  await client.until(() => client.errors().length === 2)
  const half = ['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 opus/48000/2', 'a=ice-ufrag:x']
  const broken = [...half, 'a=ice-pwd:y', 'a=fingerprint:sha-256 zz', ''].join('\r\n')
  client.send({ type: 'offer', authToken: host.token, data: { type: 'offer', sdp: broken } })
  await client.until(() => client.closed !== null)
  expect(client.errors()).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'])
  expect(await host.active()).toBe(0)
  expect(host.errors).toEqual([])
})

test('VG64 candidates before the offer, a second offer and a flood of candidates do not disturb a call', async () => {
  const host = await startRtcHost()
  const client = host.client()
  await client.connect()
  const data = { candidate: 'candidate:1 1 udp 1 192.0.2.9 9 typ host', sdpMid: '0', sdpMLineIndex: 0 }
  client.send({ type: 'ice-candidate', data })
  await client.call()
  expect(client.state).toBe('connected')
  client.send({ type: 'offer', authToken: host.token, data: { type: 'offer', sdp: 'v=0' } })
  await client.until(() => client.errors().length === 1)
  expect(client.errors()).toEqual(['INVALID_MESSAGE'])
  for (let n = 0; n < 200; n++) client.send({ type: 'ice-candidate', data })
  await client.until(() => client.closed !== null)
  expect(client.closed?.code).toBe(1008)
  // The audio goes on without the socket.
  await client.until(() => client.loudMs() >= 140)
  client.say(600)
  await client.until(() => client.loudMs() >= 500)
  expect(await host.active()).toBe(1)
})

test('VG71 a call whose signalling socket is lost goes on, and ends when its audio stops', async () => {
  const host = await startRtcHost({ texts: ['Are you there'], voice: { mediaDeadline: 60_000 } })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.loudMs() >= 140)
  client.kill()
  client.say(600)
  await client.until(() => client.loudMs() >= 160 + 500)
  expect(await host.active()).toBe(1)
  host.pass(60_000)
  await expect.poll(() => host.active()).toBe(0)
  const [lines] = await host.recorded()
  expect(lines?.map(({ what, text }) => (what === 'said' ? text : what))).toContain('Are you there')
  expect(lines?.at(-1)?.what).toBe('ended')
})

test('VG71 a client whose audio stops is told, and what was being said still counts', async () => {
  const host = await startRtcHost({ texts: ['One more thing'], voice: { mediaDeadline: 60_000 } })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.loudMs() >= 140)
  client.sound(voiceOf(600, 8_000))
  await expect.poll(() => host.dictation.heard[0]?.ms).toBeGreaterThan(400)
  host.pass(60_000)
  await client.until(() => client.closed !== null)
  expect([client.errors(), client.closed?.code]).toEqual([['MEDIA_BRIDGE_FAILURE'], 1011])
  const [lines] = await host.recorded()
  expect(lines?.map(({ text }) => text)).toContain('One more thing')
})

test('VG71 packets after the end, and a flood of them before it, change nothing', async () => {
  const host = await startRtcHost({ texts: ['Hello'] })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.loudMs() >= 140)
  for (let n = 0; n < 3_000; n++)
    client.packet(Uint8Array.of(0xf8, 0xff, 0xfe), { sequence: n, timestamp: n * 960 })
  for (let n = 0; n < 100; n++) client.packet(Uint8Array.of(n), { sequence: n, timestamp: n }, 13)
  expect(await host.active()).toBe(1)
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  client.say(600)
  await expect.poll(() => host.active()).toBe(0)
  expect(host.errors).toEqual([])
  expect(host.dictation.heard).toEqual([])
})

const LONG = 'Breakfast is from seven to ten and on all other days it is a little later than that '.repeat(8)

test('VG69 a visitor who speaks stops the agent at once, and the record says what was heard', async () => {
  const host = await startRtcHost({
    texts: ['Hello', 'No wait'],
    runtime: {
      async *respond({ input }) {
        yield { type: 'text', text: input.type === 'message' && input.text === 'Hello' ? LONG : 'Well.' }
      },
    },
  })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.loudMs() >= 80)
  await client.until(() => (client.received.at(-1)?.level ?? 1_000) < 100)
  const greeted = client.loudMs()
  // Time goes by in which nothing is sent.
  const { at = 0 } = client.received.at(-1) ?? {}
  await expect.poll(() => performance.now() - at).toBeGreaterThan(500)
  client.say(600)
  await client.until(() => client.loudMs() >= greeted + 1_500)
  client.sound(voiceOf(600, 8_000))
  client.sound(voiceOf(700, 0))
  const said = async () => (await host.recorded())[0] ?? []
  await expect.poll(async () => (await said()).filter(({ spoken }) => spoken === true).length).toBe(2)
  const { heard = '' } = (await said()).find(({ text }) => text.startsWith('Breakfast')) ?? {}
  expect(heard.length).toBeGreaterThan(0)
  expect(heard.length).toBeLessThan(LONG.length / 2)
  // A character is 20 milliseconds: no more of them is heard than packets came.
  await client.until(() => client.loudMs() >= greeted + heard.trim().length * 20)

  // RTP counts time over silence too, and packets without a gap.
  const { received } = client
  const gaps = received.slice(1).map((one, n) => (one.timestamp - (received[n]?.timestamp ?? 0)) / 48)
  const afterSilence = received.slice(1).filter((_, n) => (gaps[n] ?? 0) > 300)
  expect(afterSilence.some(({ isFirst }) => isFirst)).toBe(true)
  expect(received.map(({ sequence }) => sequence)).toEqual(
    received.map((_, n) => (received[0]?.sequence ?? 0) + n),
  )
})

test('VG15 a server that has as many calls as it may have refuses further sockets until one ends', async () => {
  const host = await startRtcHost({ voice: { maxCalls: 1 } })
  const first = host.client()
  await first.connect()
  await first.call()
  expect(await host.client().connect()).toBe(429)
  first.send({ type: 'close' })
  await first.until(() => first.closed !== null)
  await expect.poll(() => host.active()).toBe(0)
  const next = host.client()
  await expect.poll(() => next.connect()).toBeNull()
})

test('VG15 sockets without a call from one address leave one for another address', async () => {
  const host = await startRtcHost({ voice: { maxCalls: 2, trustProxy: 1 } })
  const from = (address: string) =>
    host.client({ headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' } })
  expect(await from('192.0.2.1').connect()).toBeNull()
  expect(await from('192.0.2.1').connect()).toBe(429)
  const other = from('192.0.2.2')
  expect(await other.connect()).toBeNull()
  await other.call()
  expect(other.state).toBe('connected')
  // A call is no socket without one: there is room for a further socket, and none for a further call of the account.
  const late = from('192.0.2.2')
  expect(await late.connect()).toBeNull()
  await late.call()
  await late.until(() => late.closed !== null)
  expect([late.errors(), late.closed?.code]).toEqual([['HANDLER_ERROR'], 1008])
})

test('VG65 a socket without an offer, and a call without a connection, are closed in time', async () => {
  const host = await startRtcHost({ voice: { offerDeadline: 50 } })
  const silent = host.client()
  await silent.connect()
  await silent.until(() => silent.closed !== null)
  expect([silent.errors(), silent.closed?.code]).toEqual([['INVALID_MESSAGE'], 1008])
  const other = await startRtcHost({ voice: { connectionDeadline: 50 } })
  const client = other.client()
  const sdp = await client.offer()
  await client.connect()
  // Its checks have another password: no connection comes of it.
  const wrong = sdp.replace(/a=ice-pwd:.*/g, `a=ice-pwd:${'x'.repeat(22)}`)
  client.send({ type: 'offer', authToken: other.token, data: { type: 'offer', sdp: wrong } })
  await client.until(() => client.closed !== null)
  expect([client.errors(), client.closed?.code]).toEqual([['MEDIA_BRIDGE_FAILURE'], 1011])
  await expect.poll(() => other.active()).toBe(0)
})

test('VG74 a call speaks in the messaging session that names it, which goes on after the call', async () => {
  const host = await startRtcHost({ texts: ['May I bring my dog'], voice: { linkDeadline: 60_000 } })
  const { messaging } = host.platform
  const callSid = crypto.randomUUID()
  const { accessToken } = await messaging.issueAccessToken({
    ...{ connectorToken: host.token, host: 'http://localhost', remoteAddress: '127.0.0.1' },
  })
  const { sessionId } = await messaging.createSession({
    ...{ authorization: `Bearer ${accessToken}`, streaming: true },
  })
  const text = new WebSocket(
    `ws://127.0.0.1:${host.port}/ws?session_id=${sessionId}&access_token=${accessToken}&cursor=0`,
  )
  onTestFinished(() => text.terminate())
  const texts: string[] = []
  text.on('message', data => texts.push(String(data)))
  await new Promise(resolve => text.once('open', resolve))
  const say = (type: string, payload: object) =>
    text.send(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }))
  // Too short to be a secret: a warning for its sender.
  say('LINK_TO_WEBRTC_CONVERSATION', { call_sid: 'short' })
  await expect.poll(() => texts.some(one => one.includes('SYSTEM_MESSAGE'))).toBe(true)

  const client = host.client()
  await client.connect()
  await client.call({ callSid })
  // Its page names the call a moment later.
  say('LINK_TO_WEBRTC_CONVERSATION', { call_sid: callSid })
  await client.until(() => client.loudMs() >= 140)
  client.say(600)
  await expect.poll(() => texts.some(one => one.includes('May I bring my dog'))).toBe(true)
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  say('USER_MESSAGE', { text: 'Thank you' })
  await expect.poll(() => texts.some(one => one.includes('You said Thank you'))).toBe(true)
  expect(await host.recorded()).toHaveLength(1)
})

test('VG74 a call at one server speaks in the session that names it at another one of the store', async () => {
  const shared = { store: createMemoryStore(), bus: createLocalBus() }
  const host = await startRtcHost({
    texts: ['May I bring my dog'],
    platform: shared,
    voice: { linkDeadline: 60_000 },
  })
  const other = createPlatform({ ...shared, runtime: parrot, chunkFlush: 0 })
  onTestFinished(() => other.close())
  const { accessToken } = await other.messaging.issueAccessToken({
    ...{ connectorToken: host.token, host: 'http://localhost', remoteAddress: '127.0.0.1' },
  })
  const { sessionId } = await other.messaging.createSession({
    ...{ authorization: `Bearer ${accessToken}`, streaming: true },
  })
  const handshake = await other.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const chat = openSocketPair(handshake)
  const callSid = crypto.randomUUID()
  const client = host.client()
  await client.connect()
  await client.call({ callSid })
  chat.send({ type: 'EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION', payload: { call_sid: callSid } })
  await chat.flush()
  await client.until(() => client.loudMs() >= 140)
  client.say(600)
  await client.until(() => client.loudMs() >= 160 + 500)
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  const texts = async () => {
    await chat.flush()
    return chat.events().map(({ payload }) => payload.text)
  }
  await expect.poll(texts).toContain('May I bring my dog')
  await expect.poll(texts).toContain('You said May I bring my dog. And that was all of it.')
  // It goes on after the call, and there is no further one.
  chat.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Thank you' } })
  await expect.poll(texts).toContain('You said Thank you. And that was all of it.')
  expect(await host.recorded()).toHaveLength(1)
  expect(host.errors).toEqual([])
})

test('VG74 a call that no session names has one of its own, once it was waited for', async () => {
  const host = await startRtcHost({ voice: { linkDeadline: 50 } })
  const client = host.client()
  await client.connect()
  await client.call({ callSid: crypto.randomUUID() })
  await client.until(() => client.loudMs() >= 140)
  expect(await host.recorded()).toHaveLength(1)
})

test('VG75 health counts calls, and the servers for clients are told to who has the token', async () => {
  const iceServers = [{ urls: 'turn:turn.hotel.example', username: 'u', credential: 'c' }]
  const asked: unknown[] = []
  const host = await startRtcHost({
    voice: {
      iceServers: of => {
        asked.push(of)
        return iceServers
      },
    },
  })
  const health = await host.get('/health')
  expect(await health.json()).toEqual({ status: 'healthy', activeSessions: 0 })
  const path = `/api/v1/ice-servers?token=${host.token}`
  const plain = await host.get(path)
  expect([plain.status, await plain.json()]).toEqual([200, iceServers])
  expect(asked).toEqual([{ accountId: host.accountId, agentId: host.agentId }])
  const page = await host.get(path, { origin: 'https://www.hotel.example' })
  expect(page.headers.get('access-control-allow-origin')).toBe('https://www.hotel.example')
  const foreign = await host.get(path, { origin: 'https://evil.example' })
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
  for (const wrong of ['', '?token=', '?token=wrong', `?token=${host.token}&token=${host.token}`])
    expect((await host.get(`/api/v1/ice-servers${wrong}`)).status).toBe(401)
  for (const other of ['/', '/healthy', '/api/v1/ice-servers/x'])
    expect((await host.get(other)).status).toBe(404)
  const none = await startRtcHost()
  expect(await (await none.get(`/api/v1/ice-servers?token=${none.token}`)).json()).toEqual([])
})

test('VG76 a client whose session cannot be opened is told, and the error goes to the host', async () => {
  const host = await startRtcHost({ isBroken: true })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.closed !== null)
  expect([client.errors(), client.closed?.code]).toEqual([['AGENT_FAILURE'], 1011])
  expect(String(host.errors)).toContain('The session of a call cannot be opened: busy.')
  await expect.poll(() => host.active()).toBe(0)
})

test('VG76 a server that goes away closes its sockets and ends its calls, those without a socket too', async () => {
  const host = await startRtcHost()
  const client = host.client()
  await client.connect()
  await client.call()
  const lost = host.client()
  await lost.connect()
  await lost.call()
  lost.kill()
  await host.calls.close()
  await client.until(() => client.closed !== null)
  expect(client.closed?.code).toBe(1001)
  expect(await host.active()).toBe(0)
  await expect
    .poll(async () => (await host.recorded()).map(lines => lines.at(-1)?.what))
    .toEqual(['ended', 'ended'])
})

test('VG71 a client that answers no ping is closed with 4008', async () => {
  const host = await startRtcHost({ voice: { pingInterval: 50 } })
  const client = host.client()
  client.deafen()
  await client.connect()
  await client.until(() => client.closed !== null)
  expect(client.closed).toEqual({ code: 4008, reason: 'no pong in time' })
})

test('VG123 a call over WebRTC is recorded with both sides, the visitor left and the agent right', async () => {
  const keep = createMemoryFiles()
  const host = await startRtcHost({
    texts: ['May I bring my dog'],
    platform: { recordings: { keep } },
    voice: { recording: { mode: 'announced' } },
  })
  const client = host.client()
  await client.connect()
  await client.call()
  await client.until(() => client.loudMs() >= 140)
  await client.speak(600)
  await client.until(() => client.loudMs() >= 160 + 500)
  client.send({ type: 'close' })
  await client.until(() => client.closed !== null)
  await expect.poll(() => keep.stored.size).toBe(1)
  const [sound = new Uint8Array()] = keep.stored.values()
  const samples = samplesOf(sound)
  const loudMs = (side: number): number =>
    samples.filter((sample, at) => at % 2 === side && Math.abs(sample) > 1_000).length / 16
  // A wave is loud for the most part of its time.
  expect(loudMs(0)).toBeGreaterThan(300)
  expect(loudMs(1)).toBeGreaterThan(300)
  expect(host.errors).toEqual([])
})
