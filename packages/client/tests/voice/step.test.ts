import { expect, test } from 'vitest'
import { show } from '../../src/voice/show.ts'
import { createVoiceWorld } from '../support/voice-world.ts'

type World = ReturnType<typeof createVoiceWorld>

const status = ({ state }: World) => show(state, true).status
const caption = ({ state }: World) => show(state, true).caption
const problem = ({ state }: World) => state.problem?.code

function opened(): World {
  const world = createVoiceWorld()
  world.open()
  return world
}

/** The server begins a piece, and sends so many milliseconds of it. */
function reply(world: World, id: string, ms: number, isWhole = true): void {
  world.say({ type: 'audio.begin', id, message_id: 'm', text: `Text of ${id}.`, by: 'ai_agent', from_ms: 0 })
  world.say(new ArrayBuffer(ms * 48))
  if (isWhole) world.say({ type: 'audio.end', id, duration_ms: ms })
}

test('VG50 a call goes from the microphone to the server, and shows who speaks', () => {
  const world = createVoiceWorld()
  const seen = [status(world)]
  const then = (act: () => void): void => {
    act()
    seen.push(status(world))
  }
  then(() => world.feed('start', { language: 'en-GB' }))
  then(world.grant)
  world.connected()
  expect(world.sent).toEqual([{ type: 'voice.start', rate: 16_000, language: 'en-GB' }])
  then(() => world.admit())
  then(() => world.say({ type: 'speech.started', at_ms: 20 }))
  world.say({ type: 'transcript', text: 'When is', final: false })
  expect(caption(world)).toEqual({ from: 'visitor', text: 'When is', final: false })
  world.say({ type: 'speech.ended', at_ms: 900, taken: true })
  then(() =>
    world.say({ type: 'transcript', text: 'When is breakfast?', final: true, client_id: 'c', until_ms: 900 }),
  )
  expect(caption(world)).toEqual({ from: 'visitor', text: 'When is breakfast?', final: true })
  then(() => reply(world, 'p1', 400))
  expect(caption(world)).toEqual({ from: 'agent', text: 'Text of p1.', final: true })
  then(() => world.pass(1_000))
  then(() => world.feed('stop', {}))
  expect(seen).toEqual([
    ...['off', 'asking', 'connecting', 'listening', 'hearing', 'thinking', 'speaking', 'listening', 'off'],
  ])
  expect([...world.timers]).toEqual([])
  expect(world.device.open).toBe(false)
})

test('VG51 who does not give the microphone is told why, and nothing stays open', () => {
  const world = createVoiceWorld()
  world.feed('start', { language: null })
  const { calls } = world.state
  world.feed('unheard', { calls, problem: { code: 'MICROPHONE_REFUSED', message: 'No.' } })
  expect([status(world), problem(world)]).toEqual(['off', 'MICROPHONE_REFUSED'])
  expect(world.hasSocket).toBe(false)
  // A later start begins anew, and an answer to the earlier question counts for nothing.
  world.feed('start', { language: null })
  expect(problem(world)).toBe(undefined)
  world.feed('unheard', { calls, problem: { code: 'NO_MICROPHONE', message: 'None.' } })
  expect(status(world)).toBe('asking')
})

test('VG54 barge-in: what waits is dropped at once, and the mark says how much was heard', () => {
  const world = opened()
  reply(world, 'p1', 400)
  reply(world, 'p2', 5_000)
  world.pass(80 + 400 + 250)
  world.say({ type: 'speech.started', at_ms: 100 })
  expect(world.volume).toBe(0.25)
  world.say({ type: 'clear' })
  expect(world.volume).toBe(1)
  expect(world.server.marks.at(-1)).toEqual({ type: 'mark', id: 'p2', played_ms: 250, cleared: true })
  expect(world.server.marks).toContainEqual({ type: 'mark', id: 'p1', played_ms: 400, done: true })
  const { length } = world.played
  world.say(new ArrayBuffer(960))
  expect(world.played.length).toBe(length)
  world.say({ type: 'speech.ended', at_ms: 700, taken: true })
  expect(status(world)).toBe('listening')
})

test('VG54 a burst that is no speech only lowers the volume for a moment', () => {
  const world = opened()
  reply(world, 'p1', 2_000)
  world.say({ type: 'speech.started', at_ms: 100 })
  world.say({ type: 'speech.ended', at_ms: 200, taken: false })
  expect([world.volume, status(world)]).toEqual([1, 'speaking'])
})

test('VG54 the visitor interrupts: audio that comes before the server knows is not played', () => {
  const world = opened()
  reply(world, 'p1', 2_000, false)
  world.pass(500)
  world.feed('interrupt', {})
  expect(status(world)).toBe('listening')
  const { length } = world.played
  world.say(new ArrayBuffer(960))
  reply(world, 'p2', 300)
  expect(world.played.length).toBe(length)
  world.say({ type: 'clear' })
  expect(world.server.marks.at(-1)).toEqual({ type: 'mark', id: 'p1', played_ms: 420, cleared: true })
  reply(world, 'p3', 300)
  expect(world.played.length).toBe(length + 1)
})

test('VG54 while a piece plays a mark is sent each second, and one when it is done', () => {
  const world = opened()
  reply(world, 'p1', 2_500)
  world.pass(5_000)
  const marks = world.server.marks.map(({ done, played_ms }) => [played_ms, done])
  expect(marks.length).toBeLessThanOrEqual(4)
  expect(marks.at(-1)).toEqual([2_500, true])
  expect(world.timers.has('mark')).toBe(false)
})

test('VG56 after a lost socket the call goes on at the position that the server says, and with what was heard', () => {
  const world = opened()
  for (let frame = 0; frame < 50; frame += 1) world.speak()
  reply(world, 'p1', 3_000)
  world.pass(1_100)
  world.lose()
  expect(status(world)).toBe('reconnecting')
  for (let frame = 0; frame < 10; frame += 1) world.speak()
  world.pass(0)
  world.connected()
  const heard = { id: 'p1', played_ms: 1_020 }
  expect(world.sent).toEqual([{ type: 'voice.start', rate: 16_000, call: 'call 1', heard }])
  world.admit(300)
  expect(world.server.has).toBe(1_200)
  expect(world.server.faults).toEqual([])
  expect(status(world)).toBe('listening')
})

test('VG56 a call that does not come back in 30 seconds ends, and lets go of the microphone', () => {
  const world = opened()
  world.lose()
  world.pass(29_000)
  expect(status(world)).toBe('reconnecting')
  world.pass(1_001)
  expect([status(world), problem(world), world.device.open]).toEqual(['off', 'LOST', false])
})

test('VG56 a server that never answers is given up after 15 seconds', () => {
  const world = createVoiceWorld()
  world.feed('start', { language: null })
  world.grant()
  world.lose()
  world.pass(15_000)
  expect([status(world), problem(world)]).toEqual(['off', 'UNREACHABLE'])
})

test('VG56 a socket that takes nothing for three seconds is replaced', () => {
  const world = opened()
  let heard = 0
  const speak = (backlog: number): void => {
    heard += 20
    world.feed('audio', { heard, backlog })
  }
  for (let frame = 0; frame < 400; frame += 1) speak(2_000_000 - frame * 5_000)
  expect(status(world)).toBe('listening')
  for (let frame = 0; frame < 200; frame += 1) speak(200_000 + frame * 640)
  expect(status(world)).toBe('reconnecting')
})

test('VG51 a muted microphone sends nothing, also after a reconnect', () => {
  const world = opened()
  world.feed('mute', { muted: true })
  expect(world.device.muted).toBe(true)
  world.speak()
  world.lose()
  world.pass(0)
  world.connected()
  world.admit()
  expect(world.sent.at(-1)).toEqual({ type: 'mute', muted: true })
  world.feed('mute', { muted: false })
  world.speak()
  expect(world.server.has).toBe(20)
  expect(world.server.faults).toEqual([])
})

test.each([
  [1000, 'REPLACED', 'REPLACED'],
  [1008, 'TOO_FAST', 'TOO_FAST'],
  [1009, null, 'LOST'],
  [4001, null, 'ENDED'],
] as const)('VG59 close code %i after the error %s ends the call with %s', (code, error, shown) => {
  const world = opened()
  if (error !== null) world.say({ type: 'error', code: error, message: 'Words.' })
  world.lose(code)
  expect([status(world), problem(world)]).toEqual(['off', shown])
})

test('VG59 an error within a call is shown until the visitor speaks again, and the call goes on', () => {
  const world = opened()
  world.say({ type: 'error', code: 'TRANSCRIPTION_FAILED', message: 'Not understood.' })
  expect([status(world), problem(world)]).toEqual(['listening', 'TRANSCRIPTION_FAILED'])
  world.say({ type: 'speech.started', at_ms: 0 })
  expect(problem(world)).toBe(undefined)
})

test('VG59 a call that the server ends says why; one that the visitor ends says nothing', () => {
  const reasons = ['SILENCE', 'TOO_LONG', 'SESSION_ENDED', 'CLIENT'].map(reason => {
    const world = opened()
    world.say({ type: 'voice.stopped', reason })
    return [status(world), problem(world), world.device.open]
  })
  expect(reasons).toEqual([
    ['off', 'SILENCE', false],
    ['off', 'TOO_LONG', false],
    ['off', 'SESSION_ENDED', false],
    ['off', undefined, false],
  ])
})

test('VG50 with a live agent there is nothing to wait for: the visitor is listened to', () => {
  const world = opened()
  world.say({ type: 'transcript', text: 'Hello', final: true, client_id: 'c', until_ms: 100 })
  expect(show(world.state, false).status).toBe('listening')
  expect(show(world.state, true).status).toBe('thinking')
})

const recording = ({ state }: World) => show(state, true).recording

/** The line is lost, and another one is there at once. */
function lostAndBack(world: World, meanwhile = (): void => {}): void {
  world.lose()
  meanwhile()
  world.pass(0)
  world.connected()
  world.admit()
}

test('VG127 the visitor is asked, sees that the call is recorded, and may say no at any time', () => {
  const world = opened()
  expect(recording(world)).toBe('off')
  world.say({ type: 'recording', state: 'asked' })
  expect(recording(world)).toBe('asked')
  world.feed('consent', { given: true })
  expect(world.sent.at(-1)).toEqual({ type: 'recording', consent: true })
  expect(recording(world)).toBe('asked')
  world.say({ type: 'recording', state: 'on' })
  expect(recording(world)).toBe('on')
  world.feed('consent', { given: false })
  expect(world.sent.at(-1)).toEqual({ type: 'recording', consent: false })
  expect(recording(world)).toBe('off')
  world.say({ type: 'recording', state: 'strange' })
  expect(recording(world)).toBe('off')
  world.say({ type: 'recording', state: 'on' })
  world.feed('stop', {})
  expect(recording(world)).toBe('off')
  world.feed('consent', { given: true })
  expect(world.state.consent).toBeNull()
})

for (const given of [true, false])
  test(`VG127 a call that goes on says again what the visitor has said, and asks nobody: ${given}`, () => {
    const world = opened()
    world.say({ type: 'recording', state: 'asked' })
    world.feed('consent', { given })
    lostAndBack(world)
    world.say({ type: 'recording', state: 'asked' })
    expect(world.sent.at(-1)).toEqual({ type: 'recording', consent: given })
    expect(recording(world)).not.toBe(given ? 'off' : 'asked')
  })

test('VG127 what is said while the line is away is said on the next one', () => {
  const world = opened()
  world.say({ type: 'recording', state: 'on' })
  lostAndBack(world, () => world.feed('consent', { given: false }))
  world.say({ type: 'recording', state: 'asked' })
  expect(world.sent.at(-1)).toEqual({ type: 'recording', consent: false })
})
