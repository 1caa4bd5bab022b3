import { createFakeClock } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOf, DOWN_BYTES, levelOf, samplesOf } from '../../src/audio/pcm.ts'
import { createBeats } from '../../src/webrtc/beats.ts'
import {
  type AudioPacket,
  type Heard,
  JITTER,
  NO_PACKETS,
  takePacket,
  tickJitter,
} from '../../src/webrtc/jitter.ts'
import { openOpus } from '../../src/webrtc/opus.ts'
import { opusSamples } from '../../src/webrtc/opus-packet.ts'
import { duePackets, nextDue } from '../../src/webrtc/pace.ts'
import {
  beginPlaying,
  endPlaying,
  FRAME_MS,
  NOTHING_TO_PLAY,
  nextFrame,
  type Playout,
  play,
  stopPlaying,
} from '../../src/webrtc/playout.ts'

/** The packet with that number, from a stream that begins just before its numbers wrap. */
const packetOf = (n: number, ssrc = 1): AudioPacket => ({
  ...{ sequence: (65_530 + n) % 2 ** 16, timestamp: (2 ** 32 - 4_800 + n * 960) % 2 ** 32, ssrc },
  ...{ payload: Uint8Array.of(n % 256), samples: 960 },
})

/** A client's packets as they arrive, and what is heard of them. */
function createBench() {
  let jitter = NO_PACKETS
  let now = 0
  const heard: Heard[] = []
  return {
    heard,
    arrive(packet: AudioPacket) {
      const [next, more] = takePacket(jitter, packet, now)
      jitter = next
      heard.push(...more)
    },
    pass(ms: number) {
      for (let left = ms; left > 0; left -= FRAME_MS) {
        now += FRAME_MS
        const [next, more] = tickJitter(jitter, now, FRAME_MS)
        jitter = next
        heard.push(...more)
      }
    },
    /** The process stands still: there is one tick, which is late. */
    stand(ms: number) {
      now += ms
      const [next, more] = tickJitter(jitter, now, ms)
      jitter = next
      heard.push(...more)
    },
    get waiting() {
      return jitter.early.length
    },
    numbers: () => heard.flatMap(one => (one.type === 'packet' ? [one.payload[0]] : [])),
    silentMs: () => heard.reduce((sum, one) => sum + (one.type === 'silence' ? one.ms : 0), 0),
  }
}

test('VG68 packets are heard in their order at once, and doubled or late ones once or never', () => {
  const bench = createBench()
  for (const n of [0, 1, 3, 2, 2, 3, 1, 4, 6, 5, 9, 8, 7]) bench.arrive(packetOf(n))
  expect(bench.numbers()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(bench.silentMs()).toBe(0)
})

test('VG68 a packet that is lost is silence of its length, once it has been waited for', () => {
  const bench = createBench()
  for (const n of [0, 1, 3]) bench.arrive(packetOf(n))
  bench.pass(JITTER.patience - FRAME_MS)
  expect(bench.heard).toHaveLength(2)
  bench.pass(FRAME_MS)
  expect(bench.heard.slice(2)).toEqual([
    { type: 'silence', ms: 20 },
    { type: 'packet', payload: Uint8Array.of(3) },
  ])
  bench.arrive(packetOf(2))
  expect(bench.numbers()).toEqual([0, 1, 3])
})

test('VG68 a client that sends nothing while nobody speaks is silent, for as long as that takes', () => {
  const bench = createBench()
  bench.arrive(packetOf(0))
  bench.pass(2_000)
  const silent = bench.silentMs()
  expect(silent).toBe(2_000 - JITTER.starved + FRAME_MS)
  // The next packet says that two seconds went by: no more is missing than was heard already.
  bench.arrive({ ...packetOf(101), sequence: packetOf(1).sequence })
  expect(bench.silentMs()).toBe(2_000)
  expect(bench.numbers()).toEqual([0, 101])
})

test('VG68 a pause of the process is no silence in the middle of what is said', () => {
  const bench = createBench()
  for (let n = 0; n < 10; n++) bench.arrive(packetOf(n))
  // Timers have their turn before what came meanwhile is read.
  bench.stand(1_500)
  for (let n = 10; n < 80; n++) bench.arrive(packetOf(n))
  expect([bench.numbers().length, bench.silentMs()]).toEqual([80, 0])
})

test('VG68 audio that was held up on its way is heard all the same', () => {
  const bench = createBench()
  bench.arrive(packetOf(0))
  bench.pass(1_000)
  for (let n = 1; n <= 50; n++) bench.arrive(packetOf(n))
  expect(bench.numbers()).toEqual(Array.from({ length: 51 }, (_, n) => n))
})

test('VG68 a stream that begins anew is heard from its beginning', () => {
  const bench = createBench()
  for (let n = 0; n < 40; n++) bench.arrive(packetOf(n + 2_000))
  for (let n = 0; n < 40; n++) bench.arrive(packetOf(n, 2))
  expect(bench.numbers().slice(40)).toEqual(Array.from({ length: 40 }, (_, n) => n))
  for (let n = 0; n < 40; n++) bench.arrive({ ...packetOf(n, 2), sequence: 40_000 + n, timestamp: n * 960 })
  expect(bench.numbers().length).toBe(120 - JITTER.restart + 1)
})

const anyPacket = fc.record({
  sequence: fc.nat(2 ** 16 - 1),
  timestamp: fc.nat(2 ** 32 - 1),
  ssrc: fc.constantFrom(1, 2),
  payload: fc.constant(Uint8Array.of(1)),
  samples: fc.constantFrom(120, 480, 960, 5_760),
})

test('VG68 whatever arrives, no packet is heard twice, little waits, and no silence is longer than its bound', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          anyPacket,
          fc.nat(60).map(n => packetOf(n)),
          fc.nat(500),
        ),
        { maxLength: 200 },
      ),
      all => {
        const bench = createBench()
        const given = new Map<Uint8Array, number>()
        for (const one of all) {
          if (typeof one === 'number') bench.pass(one)
          else {
            const payload = Uint8Array.of(given.size % 256)
            given.set(payload, 0)
            bench.arrive({ ...one, payload })
          }
          expect(bench.waiting).toBeLessThanOrEqual(JITTER.early + 1)
        }
        for (const one of bench.heard)
          if (one.type === 'silence') expect(one.ms).toBeLessThanOrEqual(JITTER.longestGap)
          else {
            expect(given.get(one.payload)).toBe(0)
            given.set(one.payload, 1)
          }
      },
    ),
    { numRuns: runs(100, 5_000) },
  )
})

test('VG68 a stream that is shuffled within the patience and loses packets is heard in order, at its length', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ lost: fc.boolean(), late: fc.nat(2) }), { minLength: 1, maxLength: 100 }),
      all => {
        const bench = createBench()
        bench.arrive(packetOf(0))
        const arrivals = all
          .map(({ late, lost }, n) => ({ n: n + 1, at: (n + 1) * FRAME_MS + late * FRAME_MS, lost }))
          .filter(({ lost }) => !lost)
          .toSorted((one, other) => one.at - other.at || one.n - other.n)
        let now = 0
        for (const { at, n } of arrivals) {
          bench.pass(at - now)
          now = at
          bench.arrive(packetOf(n))
        }
        bench.pass(JITTER.patience + 2 * FRAME_MS)
        const numbers = bench.numbers()
        expect(numbers).toEqual(numbers.toSorted((one = 0, other = 0) => one - other))
        expect(numbers).toEqual([0, ...arrivals.map(({ n }) => n).toSorted((one, other) => one - other)])
      },
    ),
    { numRuns: runs(100, 5_000) },
  )
})

/** Sound whose every byte says where it is from. */
const soundOf = (ms: number, first = 1): Uint8Array =>
  Uint8Array.from({ length: ms * DOWN_BYTES }, (_, at) => ((first + at) % 255) + 1)

test('VG69 sound leaves in packets of 20 ms, with marks of what was sent, and ends in a little silence', () => {
  let playout = beginPlaying(NOTHING_TO_PLAY, 'a', 100)
  for (const ms of [333, 333, 344]) playout = play(playout, soundOf(ms))
  playout = endPlaying(playout)
  playout = endPlaying(play(beginPlaying(playout, 'b', 0), soundOf(30)))
  const marks: unknown[] = []
  let sent = 0
  for (let isSounding = true; isSounding; ) {
    const [next, frame] = nextFrame(playout)
    playout = next
    marks.push(...frame.marks)
    isSounding = frame.sound !== null
    if (frame.sound === null) continue
    expect(frame.sound).toHaveLength(FRAME_MS * DOWN_BYTES)
    sent++
  }
  expect(marks).toEqual([
    { id: 'a', played_ms: 600, done: false },
    { id: 'a', played_ms: 1_100, done: false },
    { id: 'a', played_ms: 1_110, done: true },
    { id: 'b', played_ms: 30, done: true },
  ])
  expect(sent).toBe(1_040 / FRAME_MS + 5)
})

test('VG69 what was sent before a speaker pauses is marked, and once', () => {
  let playout = play(beginPlaying(NOTHING_TO_PLAY, 'a', 0), soundOf(90))
  const marks: unknown[] = []
  const send = (packets: number): void => {
    for (let n = 0; n < packets; n++) {
      const [next, frame] = nextFrame(playout)
      playout = next
      marks.push(...frame.marks)
    }
  }
  send(5)
  expect(marks).toEqual([])
  send(20)
  expect(marks.splice(0)).toEqual([{ id: 'a', played_ms: 90, done: false }])
  playout = endPlaying(play(playout, soundOf(10)))
  send(2)
  expect(marks.splice(0)).toEqual([{ id: 'a', played_ms: 100, done: true }])
  // What is dropped was never sent.
  playout = play(beginPlaying(playout, 'b', 0), soundOf(40))
  send(1)
  playout = stopPlaying(playout)
  send(20)
  expect(marks).toEqual([])
})

test('VG69 what was marked is what was sent, whatever comes in whatever order, and after a stop nothing is sent', () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('begin' as const), at: fc.nat(1_000) }),
    fc.record({ type: fc.constant('sound' as const), ms: fc.nat(200) }),
    fc.constant({ type: 'end' as const }),
    fc.constant({ type: 'stop' as const }),
    fc.record({ type: fc.constant('frames' as const), count: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), steps => {
      let playout: Playout = NOTHING_TO_PLAY
      let pieces = 0
      let given = 0
      let dropped = 0
      let sent = 0
      const waiting = (): number =>
        playout.parts.reduce((sum, part) => sum + (part.type === 'sound' ? part.bytes.length : 0), 0)
      for (const one of steps) {
        if (one.type === 'begin') playout = beginPlaying(playout, `p${++pieces}`, one.at)
        if (one.type === 'sound') {
          playout = play(playout, soundOf(one.ms))
          given += one.ms * DOWN_BYTES
        }
        if (one.type === 'end') playout = endPlaying(playout)
        if (one.type === 'stop') {
          dropped += waiting()
          playout = stopPlaying(playout)
          expect(playout.parts).toEqual([])
        }
        if (one.type !== 'frames') continue
        for (let n = 0; n < one.count; n++) {
          const before = playout
          const [next, { marks, sound }] = nextFrame(playout)
          playout = next
          sent += sound?.filter(byte => byte !== 0).length ?? 0
          for (const { id, played_ms } of marks)
            if (id === before.id) expect(played_ms).toBeLessThanOrEqual(before.at + FRAME_MS)
        }
      }
      // All that was given was sent, dropped, or waits.
      expect(sent + dropped + waiting()).toBe(given)
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('VG69 packets are due every 20 ms, none twice, and after a pause of the process few at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 50 }), waits => {
      let pace = { startedAt: 5, frames: 0 }
      let now = 5
      const sent: number[] = []
      for (const wait of waits) {
        now += wait
        const [next, due] = duePackets(pace, now)
        expect(due.length).toBeLessThanOrEqual(5)
        pace = next
        sent.push(...due)
        const rest = nextDue(pace) - now
        expect(rest).toBeGreaterThan(0)
        expect(rest).toBeLessThanOrEqual(FRAME_MS)
      }
      expect(sent).toEqual([...new Set(sent)].toSorted((one, other) => one - other))
      // The number of a packet is its time.
      for (const number of sent) expect(number * FRAME_MS).toBeLessThanOrEqual(now - 5)
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('VG69 packets of all calls leave in the order in which they are due, also those that are late', async () => {
  const clock = createFakeClock(0)
  const beats = createBeats(clock)
  const sent: string[] = []
  const start = (name: string): (() => void) => {
    let pace = { startedAt: clock.monotonic(), frames: 0 }
    return beats.begin(() => {
      const [next, due] = duePackets(pace, clock.monotonic())
      pace = next
      sent.push(...due.map(number => `${name}${number}`))
      return nextDue(pace)
    })
  }
  const endOf = new Map<string, () => void>()
  for (const name of ['a', 'b', 'c']) {
    endOf.set(name, start(name))
    await clock.advance(5)
  }
  expect(sent).toEqual(['a0', 'b0', 'c0'])
  await clock.advance(15)
  expect(sent.splice(0)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1'])
  endOf.get('b')?.()
  await clock.advance(20)
  expect(sent.splice(0)).toEqual(['a2', 'c2'])
  // The process stands still: no timer has its turn before others ask.
  clock.pause(25)
  beats.catchUp()
  beats.catchUp()
  expect(sent.splice(0)).toEqual(['a3', 'c3'])
  for (const end of endOf.values()) end()
  await clock.advance(100)
  expect(sent).toEqual([])
})

test('VG66 Opus is decoded at the rate of recognition, and speech is encoded from the rate of speakers', () => {
  const codec = openOpus()
  onTestFinished(() => codec.close())
  const tone = bytesOf(
    Int16Array.from({ length: 480 * 50 }, (_, at) =>
      Math.round(Math.sin((2 * Math.PI * 300 * at) / 24_000) * 9_000),
    ),
  )
  const decoded: Uint8Array[] = []
  for (let at = 0; at < tone.length; at += 960) {
    const packet = codec.encode(tone.subarray(at, at + 960))
    expect(opusSamples(packet)).toBe(960)
    const pcm = codec.decode(packet)
    expect(pcm).toHaveLength(640)
    if (pcm !== null) decoded.push(pcm)
  }
  const level = levelOf(samplesOf(Buffer.concat(decoded.slice(5))))
  expect(level).toBeGreaterThan(5_000)
  expect(level).toBeLessThan(8_000)
})

test('VG66 what is no Opus is passed over, whatever it is, and the codec goes on', () => {
  const codec = openOpus()
  onTestFinished(() => codec.close())
  const good = codec.encode(new Uint8Array(960))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_500 }), payload => {
      const samples = opusSamples(payload)
      if (samples === null) return
      expect(samples).toBeLessThanOrEqual(5_760)
      const pcm = codec.decode(payload)
      if (pcm !== null) expect(pcm.length).toBe((samples / 3) * 2)
    }),
    { numRuns: runs(200, 20_000) },
  )
  expect(codec.decode(good)).toHaveLength(640)
  for (const nothing of [[], [3], [3, 0], [255, 63]]) expect(opusSamples(Uint8Array.from(nothing))).toBeNull()
})
