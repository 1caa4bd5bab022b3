import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVoiceWorld } from '../support/voice-world.ts'

type World = ReturnType<typeof createVoiceWorld>

let pieces = 0

/** What visitors, networks, servers and time do to a call. */
const MOVES: Readonly<Record<string, (world: World, number: number) => void>> = {
  start: world => world.feed('start', { language: null }),
  stop: world => world.feed('stop', {}),
  ended: world => world.feed('ended', {}),
  grant: world => world.grant(),
  refuse: world =>
    world.feed('unheard', { calls: world.state.calls, problem: { code: 'NO_MICROPHONE', message: '' } }),
  connected: world => world.connected(),
  admit: (world, number) => world.admit(number * 30),
  speak: (world, number) => world.speak(20 * (number + 1)),
  mute: (world, number) => world.feed('mute', { muted: number % 2 === 0 }),
  interrupt: world => world.feed('interrupt', {}),
  lose: (world, number) => world.lose([1006, 1001, 1011, 1013][number % 4]),
  refused: (world, number) => world.lose([1000, 1008, 1009, 4001][number % 4]),
  pass: (world, number) => world.pass(number ** 3),
  begin: world => {
    pieces += 1
    world.say({ type: 'audio.begin', id: `p${pieces}`, message_id: 'm', text: 'Words.', by: 'ai_agent' })
  },
  sound: (world, number) => world.say(new ArrayBuffer(number * 960)),
  end: world => world.say({ type: 'audio.end', id: `p${pieces}`, duration_ms: 1 }),
  clear: world => world.say({ type: 'clear' }),
  began: world => world.say({ type: 'speech.started', at_ms: 0 }),
  fell: (world, number) => world.say({ type: 'speech.ended', at_ms: 0, taken: number % 2 === 0 }),
  understood: (world, number) => world.say({ type: 'transcript', text: 'Words', final: number % 2 === 0 }),
  error: world => world.say({ type: 'error', code: 'SPEECH_FAILED', message: 'Words.' }),
}

const script = fc.array(
  fc.tuple(
    fc.constantFrom(...Object.keys(MOVES), 'speak', 'speak', 'admit', 'connected', 'grant', 'start'),
    fc.nat(20),
  ),
  { maxLength: 120 },
)

test('VG54 and VG56 in every order of losses, resumes, mutes and replies the server gets all audio once it answers, and marks that only grow', () => {
  fc.assert(
    fc.property(script, moves => {
      const world = createVoiceWorld()
      for (const [name, number] of moves) {
        MOVES[name]?.(world, number)
        const { phase } = world.state
        expect(world.device.open && phase === 'off').toBe(false)
        expect(world.hasSocket && (phase === 'off' || phase === 'waiting')).toBe(false)
        if (phase === 'open') expect(world.server.has).toBe(world.heard)
      }
      expect(world.server.faults).toEqual([])
      const played = new Map<unknown, number>()
      for (const { cleared, id, played_ms } of world.server.marks) {
        if (!cleared) expect(Number(played_ms)).toBeGreaterThanOrEqual(played.get(id) ?? 0)
        played.set(id, Number(played_ms))
      }
      for (const { heard } of world.server.starts)
        if (heard !== undefined) expect(Object.keys(Object(heard))).toContain('played_ms')
      // A working network: a call that is not over comes back, and nothing of it is lost.
      const isOn = world.device.open
      world.pass(0)
      for (let round = 0; isOn && world.state.phase !== 'open' && round < 9; round += 1) {
        world.pass(1_000)
        world.connected()
        world.admit()
      }
      if (isOn && world.state.phase === 'open') expect(world.server.has).toBe(world.heard)
      world.feed('stop', {})
      expect([[...world.timers], world.device.open, world.hasSocket]).toEqual([[], false, false])
    }),
    { numRuns: runs(300, 5_000) },
  )
})

test('VG59 whatever a server says, voice does not throw', () => {
  const name = fc.constantFrom(
    ...['voice.started', 'speech.started', 'speech.ended', 'transcript', 'audio.begin', 'audio.end', 'clear'],
    ...['voice.stopped', 'error', 'other', '__proto__', 'constructor'],
  )
  const value = fc.oneof(fc.string(), fc.double(), fc.constant(1e308), fc.anything())
  const fields = fc.dictionary(
    fc.constantFrom('call', 'from_ms', 'text', 'final', 'taken', 'id', 'by', 'reason', 'code', 'duration_ms'),
    value,
  )
  const frame = fc.oneof(
    fc.tuple(name, fields).map(([type, rest]) => {
      try {
        return JSON.stringify({ ...rest, type })
      } catch {
        return '{'
      }
    }),
    fc.string(),
    fc.json(),
    fc.integer({ min: 0, max: 1_001 }).map(length => new ArrayBuffer(length)),
    fc.anything(),
  )
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 40 }), frames => {
      const world = createVoiceWorld()
      world.open()
      for (const data of frames) {
        world.feed('frame', { attempt: world.state.attempt, data })
        world.pass(30)
      }
    }),
    { numRuns: runs(200, 3_000) },
  )
})
