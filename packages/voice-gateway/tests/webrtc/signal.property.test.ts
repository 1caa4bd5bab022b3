import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { announced, readOffer } from '../../src/webrtc/offer-sdp.ts'
import { readSignal, SIGNAL_CODES } from '../../src/webrtc/signal.ts'
import {
  initialSignal,
  type SignalAction,
  type SignalEvent,
  type SignalLimits,
  type SignalState,
  stepSignal,
} from '../../src/webrtc/signal-state.ts'

const LIMITS: SignalLimits = { offer: 10_000, connection: 15_000, offers: 3, candidates: 4, mistakes: 5 }

const offer = (more: object = {}) =>
  JSON.stringify({
    ...{ type: 'offer', sessionId: '', data: { type: 'offer', sdp: 'v=0' }, authToken: 'token' },
    ...more,
  })

type Told = SignalEvent extends infer Event ? (Event extends SignalEvent ? Omit<Event, 'now'> : never) : never

/** A signalling socket without ports. */
function createBench(limits = LIMITS) {
  let state: SignalState = initialSignal(limits, 0)
  const actions: SignalAction[] = []
  const bench = {
    now: 0,
    actions,
    get state() {
      return state
    },
    tell(told: Told) {
      const [next, more] = stepSignal(limits, state, { ...told, now: bench.now } as SignalEvent)
      state = next
      actions.push(...more)
      return more
    },
    frame: (text: string) => bench.tell({ type: 'frame', frame: readSignal(text) }),
    answer: () => bench.tell({ type: 'answered', sessionId: 'session-1', sdp: 'v=0', candidates: [] }),
    errors: () =>
      actions.flatMap(action =>
        action.type === 'send' && action.frame.type === 'error' ? [action.frame.data.code] : [],
      ),
    closes: () => actions.flatMap(action => (action.type === 'close' ? [action.code] : [])),
  }
  return bench
}

const candidate = (sessionId: string) =>
  JSON.stringify({
    ...{ type: 'ice-candidate', sessionId },
    data: { candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host', sdpMid: '0', sdpMLineIndex: 0 },
  })

test('VG61 an offer is answered with an id that all later frames name, and close ends the call', () => {
  const bench = createBench()
  expect(bench.frame(offer()).map(({ type }) => type)).toEqual(['take'])
  const mine = { candidate: 'candidate:1 1 udp 1 192.0.2.2 9 typ host', sdpMid: '0', sdpMLineIndex: 0 }
  const answered = bench.tell({ type: 'answered', sessionId: 'session-1', sdp: 'v=0', candidates: [mine] })
  expect(answered).toEqual([
    { type: 'send', frame: { type: 'answer', sessionId: 'session-1', data: { type: 'answer', sdp: 'v=0' } } },
    { type: 'send', frame: { type: 'ice-candidate', sessionId: 'session-1', data: mine } },
  ])
  expect(bench.frame(candidate('session-1'))).toEqual([])
  bench.tell({ type: 'connected' })
  expect(bench.state.phase).toBe('open')
  expect(bench.frame(JSON.stringify({ type: 'close', sessionId: 'session-1' }))).toEqual([
    { type: 'hang up' },
    { type: 'close', code: 1000, reason: 'call over' },
  ])
  expect(bench.frame(offer())).toEqual([])
})

test('VG62 an offer without a token is refused in the words that clients know, whatever else it has', () => {
  for (const more of [
    { authToken: undefined },
    { authToken: '' },
    { authToken: null, agentVersionOverride: { artifactVersion: '1', lambdaDeploymentVersion: '2' } },
    { authToken: undefined, data: null },
  ]) {
    const bench = createBench()
    bench.frame(offer(more))
    expect(bench.actions).toEqual([
      {
        type: 'send',
        frame: {
          ...{ type: 'error', sessionId: '' },
          data: { code: 'UNAUTHORIZED', message: 'Auth token required' },
        },
      },
      { type: 'close', code: 1008, reason: 'protocol not kept' },
    ])
  }
})

test('VG62 a token that is not taken closes the socket, and an offer that does not fit may be sent again', () => {
  const refused = createBench()
  refused.frame(offer())
  refused.tell({ type: 'refused', problem: { code: 'FORBIDDEN', message: 'No.' } })
  expect(refused.closes()).toEqual([1008])

  const bench = createBench()
  for (let n = 0; n < LIMITS.offers; n++) {
    bench.frame(offer())
    bench.tell({ type: 'refused', problem: { code: 'INVALID_ARGUMENT', message: 'No.' } })
  }
  expect(bench.errors()).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'])
  expect(bench.closes()).toEqual([1008])
})

test('VG63 modes are read by their old names, and no mode is the default one', () => {
  const modes = {
    ...{ 'end-to-end': 'end-to-end', agent: 'end-to-end', agent_v2: 'end-to-end', realtime: 'end-to-end' },
    ...{ traditional: 'traditional', agent_v1: 'traditional', cascaded: 'traditional' },
    ...{ normal: 'traditional', echo: 'echo' },
  }
  for (const [given, mode] of Object.entries(modes))
    expect(readSignal(offer({ mode: given }))).toMatchObject({ mode })
  for (const mode of [undefined, null])
    expect(readSignal(offer({ mode }))).toMatchObject({ mode: 'end-to-end' })
  for (const mode of ['', 'Echo', 'toString', '__proto__'])
    expect(readSignal(offer({ mode }))).toMatchObject({ problem: { code: 'INVALID_ARGUMENT' } })
})

test('VG64 candidates may come before the answer and before the offer, and no more than a call may have', () => {
  const bench = createBench()
  bench.frame(candidate(''))
  bench.frame(offer())
  bench.frame(candidate(''))
  bench.answer()
  bench.frame(candidate('session-1'))
  bench.frame(candidate(''))
  expect(bench.errors()).toEqual([])
  bench.frame(candidate('session-1'))
  expect(bench.errors()).toEqual(['INVALID_ARGUMENT'])
  bench.frame(candidate('session-2'))
  expect(bench.errors()).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT'])
})

test('VG64 a second offer changes nothing, and a client that goes on with mistakes is closed, its call not', () => {
  const bench = createBench()
  bench.frame(offer())
  bench.frame(offer())
  bench.answer()
  bench.tell({ type: 'connected' })
  for (const text of ['', '[]', '{"type":"answer"}', 'x', '{"type":"hasOwnProperty"}']) bench.frame(text)
  expect(bench.errors()).toEqual(Array(6).fill('INVALID_MESSAGE'))
  expect(bench.closes()).toEqual([1008])
  expect(bench.state.phase).toBe('open')
  expect(bench.actions.some(({ type }) => type === 'hang up')).toBe(false)
})

test('VG65 no offer in time, and no connection in time, close the socket', () => {
  const silent = createBench()
  silent.now = LIMITS.offer - 1
  expect(silent.tell({ type: 'tick' })).toEqual([])
  silent.now = LIMITS.offer
  silent.tell({ type: 'tick' })
  expect([silent.errors(), silent.closes()]).toEqual([['INVALID_MESSAGE'], [1008]])

  const bench = createBench()
  bench.frame(offer())
  bench.now = 60_000
  // An offer that is being checked is not too late.
  expect(bench.tell({ type: 'tick' })).toEqual([])
  bench.answer()
  bench.now += LIMITS.connection
  expect(bench.tell({ type: 'tick' }).map(({ type }) => type)).toEqual(['send', 'hang up', 'close'])
  expect([bench.errors(), bench.closes()]).toEqual([['MEDIA_BRIDGE_FAILURE'], [1011]])
})

test('VG65 a socket that is lost ends what was not connected, and an answer that comes later', () => {
  const bench = createBench()
  bench.frame(offer())
  expect(bench.tell({ type: 'lost' })).toEqual([{ type: 'hang up' }])
  expect(bench.answer()).toEqual([{ type: 'hang up' }])
  const open = createBench()
  open.frame(offer())
  open.answer()
  open.tell({ type: 'connected' })
  expect(open.tell({ type: 'lost' })).toEqual([])
  expect(open.tell({ type: 'ended', problem: null })).toEqual([
    { type: 'close', code: 1000, reason: 'call over' },
  ])
})

const anyEvent: fc.Arbitrary<Told> = fc.oneof(
  fc
    .oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(offer(), offer({ mode: 'echo' }), candidate(''), candidate('session-1')),
      fc.constantFrom('', 'session-1', 'x').map(sessionId => JSON.stringify({ type: 'close', sessionId })),
    )
    .map(text => ({ type: 'frame' as const, frame: readSignal(text) })),
  fc.constant({ type: 'answered' as const, sessionId: 'session-1', sdp: 'v=0', candidates: [] }),
  fc
    .constantFrom(...SIGNAL_CODES)
    .map(code => ({ type: 'refused' as const, problem: { code, message: 'No.' } })),
  fc.constantFrom(
    { type: 'connected' as const },
    { type: 'tick' as const },
    { type: 'lost' as const },
    { type: 'ended' as const, problem: null },
  ),
)

test('VG64 whatever comes in whatever order, one offer at most is taken at a time, and after the end nothing is said', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, fc.nat(8_000)), { maxLength: 60 }), events => {
      const bench = createBench()
      let taken = 0
      for (const [event, wait] of events) {
        bench.now += wait
        const before = bench.state
        const actions = bench.tell(event)
        taken += actions.filter(({ type }) => type === 'take').length
        if (before.phase !== 'waiting') expect(actions.some(({ type }) => type === 'take')).toBe(false)
        if (before.phase === 'over') expect(actions.every(({ type }) => type === 'hang up')).toBe(true)
        expect(bench.state.candidates).toBeLessThanOrEqual(LIMITS.candidates)
        // A deadline stands wherever something is waited for.
        expect(bench.state.deadline === null).toBe(['open', 'over'].includes(bench.state.phase))
      }
      expect(taken).toBeLessThanOrEqual(LIMITS.offers)
      expect(bench.actions.filter(({ type }) => type === 'close').length).toBeLessThanOrEqual(
        1 + Math.max(0, bench.state.mistakes - LIMITS.mistakes),
      )
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('VG64 the parser of frames answers whatever is sent, and says what is allowed in a full sentence', () => {
  const anything = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.json(),
    fc
      .record({
        type: fc.constantFrom('offer', 'ice-candidate', 'close', 'answer', 1, null),
        ...{ sessionId: fc.anything(), data: fc.anything(), authToken: fc.anything(), mode: fc.anything() },
        ...{ callSid: fc.anything(), agentVersionOverride: fc.anything() },
      })
      .map(frame => JSON.stringify(frame) ?? ''),
  )
  fc.assert(
    fc.property(anything, text => {
      const read = readSignal(text)
      if (!('problem' in read)) return
      const { code, message } = read.problem
      expect(SIGNAL_CODES).toContain(code)
      expect(message.length).toBeLessThanOrEqual(500)
      expect(message).toMatch(/^[A-Z].*$/s)
    }),
    { numRuns: runs(500, 50_000) },
  )
  for (const text of [
    offer({ data: { type: 'offer', sdp: 'x'.repeat(40_000) } }),
    offer({ authToken: 'x'.repeat(5_000) }),
  ])
    expect(readSignal(text)).toMatchObject({ problem: { code: 'INVALID_ARGUMENT' } })
})

const HEAD = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1']
const KEYS = ['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuv', 'a=fingerprint:sha-256 AA:BB']
const AUDIO = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', ...KEYS, 'a=mid:0', 'a=rtpmap:111 opus/48000/2']
const CANDIDATE = 'a=candidate:1 1 udp 2113937151 192.0.2.7 5000 typ host'
const sdpOf = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`

test('VG66 of an offer the audio is answered, and none of the addresses in it is used', () => {
  const video = ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:1', 'a=rtpmap:96 VP8/90000']
  const data = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:2']
  const read = readOffer(sdpOf(...HEAD, ...AUDIO, CANDIDATE, 'a=end-of-candidates', ...video, ...data))
  expect(read).toEqual({
    sdp: sdpOf(
      ...HEAD,
      ...AUDIO,
      'm=video 0 UDP/TLS/RTP/SAVPF 96',
      ...video.slice(1),
      'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
      ...data.slice(1),
    ),
  })
})

test('VG66 an offer without audio, without Opus or without keys is refused with what is missing', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /begins with v=0/],
    ['hello', /begins with v=0/],
    [sdpOf(...HEAD), /must offer audio\.$/],
    [sdpOf(...HEAD, 'm=audio 0 UDP/TLS/RTP/SAVPF 111', ...AUDIO.slice(1)), /must offer audio\.$/],
    [sdpOf(...HEAD, 'm=video 9 UDP/TLS/RTP/SAVPF 96', ...AUDIO.slice(1)), /must offer audio\.$/],
    [sdpOf(...HEAD, ...AUDIO.slice(0, -1), 'a=rtpmap:0 PCMU/8000'), /opus\/48000\/2/],
    [sdpOf(...HEAD, ...AUDIO.filter(line => !line.includes('fingerprint'))), /fingerprint/],
    [sdpOf(...HEAD, ...Array(9).fill(AUDIO).flat()), /at most 8 sections/],
    [sdpOf(...HEAD, ...AUDIO, ...Array(1_000).fill('a=x')), /begins with v=0/],
  ]
  for (const [sdp, message] of cases)
    expect(readOffer(sdp)).toEqual({ problem: expect.stringMatching(message) })
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...HEAD, ...AUDIO, CANDIDATE))), lines => {
      const read = readOffer(lines.join('\n'))
      if ('sdp' in read) expect(read.sdp).not.toContain('candidate:')
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('VG66 the address that is announced stands in place of the own one, in candidates of the host alone', () => {
  const own = 'candidate:1 1 udp 2113937151 10.0.0.7 5000 typ host generation 0'
  const relayed = 'candidate:2 1 udp 1 10.0.0.7 5000 typ relay raddr 10.0.0.8 rport 1'
  expect(announced(own, null)).toBe(own)
  expect(announced(own, '203.0.113.7')).toBe(own.replace('10.0.0.7', '203.0.113.7'))
  expect(announced(sdpOf(`a=${own}`, `a=${relayed}`), '203.0.113.7')).toBe(
    sdpOf(`a=${own.replace('10.0.0.7', '203.0.113.7')}`, `a=${relayed}`),
  )
})
