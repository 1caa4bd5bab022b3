import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../src/messaging/show.ts'
import { createWorld } from './support/world.ts'

type World = ReturnType<typeof createWorld>

/** What an honest world may do to a client. */
const HONEST: Readonly<Record<string, (world: World, number: number) => void>> = {
  receive: world => world.receive(),
  deliver: world => world.deliver(),
  speak: world => world.server.speak(),
  speakAnew: world => world.server.speak(true),
  cut: world => world.cut(),
  goAway: world => world.cut(1001),
  slow: world => world.cut(1013),
  // What stands between client and server.
  closeBetween: (world, number) => world.cut([1000, 1002, 1008, 1011, 1012, 4000, 4001][number % 7]),
  refuseBetween: (world, number) => world.cut(1006, [400, 401, 403, 404, 429, 500, 502, 503][number % 8]),
  failBetween: (world, number) => world.answerHttp(false, [0, 400, 403, 429, 500, 502, 503][number % 7]),
  fire: (world, number) => world.fire(number),
  reload: world => world.load(),
  answer: world => world.answerHttp(true),
  fail: world => world.answerHttp(false),
  offline: world => world.feed('network', { online: false }),
  online: world => world.feed('network', { online: true }),
  wake: world => world.feed('wake', {}),
  say: () => {},
}

/** What a line or a server may do that lies; what it said stands in its log. */
const LYING: typeof HONEST = {
  ...HONEST,
  double: world => world.double(),
  swap: world => world.swap(),
  lose: world => world.lose(),
  truncate: world => world.truncate(),
}

const actions = (names: readonly string[]) =>
  fc.array(
    fc.tuple(
      fc.constantFrom(...names, 'receive', 'deliver', 'deliver', 'answer', 'speak', 'say'),
      fc.nat(20),
    ),
    {
      maxLength: 80,
    },
  )

/** Plays the actions, and then lets everything come to rest. */
function play(world: World, moves: typeof HONEST, script: readonly (readonly [string, number])[]) {
  const said: string[] = []
  for (const [name, number] of script) {
    if (name === 'say') {
      said.push(`words ${said.length}`)
      world.say(`id ${said.length}`, said.at(-1) ?? '')
    } else moves[name]?.(world, number)
  }
  world.feed('network', { online: true })
  world.settle()
  // What was lost last, nothing shows but the next connection.
  world.cut()
  world.settle()
  return said
}

test.each([
  [
    'VC2, VC3 and VC1 in every order of events, losses, refusals and reloads the client comes to the log of the server',
    HONEST,
  ],
  ['doubled, swapped, lost and truncated frames change nothing in the end', LYING],
] as const)('%s', (_, moves) => {
  fc.assert(
    fc.property(actions(Object.keys(moves)), script => {
      const world = createWorld()
      const said = play(world, moves, script)
      const { messages } = show(world.state)
      expect(messages.map(({ text }) => text)).toEqual(world.server.messages())
      expect(messages.every(({ state }) => state === 'done')).toBe(true)
      const heard = world.server.log.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
      expect(heard.map(({ payload }) => payload.text)).toEqual(said)
      expect(world.told).toEqual(world.server.log.map(({ sequence }) => sequence))
      expect(world.state.outbox).toEqual([])
    }),
    { numRuns: runs(300, 5_000) },
  )
})

const EVENT_TYPES = [
  ...['EVENT_BATCH', 'SESSION_START', 'USER_MESSAGE', 'AI_AGENT_JOINED', 'AI_AGENT_MESSAGE'],
  ...[
    'AI_AGENT_MESSAGE_CHUNK',
    'AI_AGENT_MESSAGE_CHUNK',
    'LIVE_AGENT_JOINED',
    'LIVE_AGENT_TYPING',
    'HEARTBEAT',
  ],
  ...['SYSTEM_MESSAGE', 'HANDOFF_QUEUE_STATUS', 'SESSION_IDLE_WARNING', 'OTHER', '__proto__', 'SESSION_END'],
]

const word = fc.constantFrom('a', 'b', 'id 1', '')

/** An event with fields of the right names, whatever they hold. */
const event = fc.record(
  {
    id: word,
    sequence: fc.oneof(fc.nat(6), fc.constant(null), fc.double(), fc.constant('1')),
    timestamp: fc.anything(),
    type: fc.constantFrom(...EVENT_TYPES).map(name => `EVENT_TYPE_${name}`),
    payload: fc.oneof(
      fc.record(
        {
          message_id: word,
          text: word,
          chunk_index: fc.oneof(fc.nat(3), fc.double(), fc.constant(1e15)),
          is_complete: fc.boolean(),
          capabilities: fc.record({
            heartbeat_interval_seconds: fc.double(),
            max_reconnect_attempts: fc.double(),
          }),
          level: fc.constantFrom('SYSTEM_MESSAGE_LEVEL_ERROR', 'SYSTEM_MESSAGE_LEVEL_WARNING', 1),
          message: fc.anything(),
          attachments: fc.anything(),
          agent: fc.anything(),
        },
        { requiredKeys: [] },
      ),
      fc.anything(),
    ),
    metadata: fc.oneof(
      word.map(id => ({ custom: { client_event_id: id } })),
      fc.anything(),
    ),
  },
  { requiredKeys: ['type'] },
)

/** `JSON.stringify` refuses numbers of arbitrary size and circles. */
const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '{'
  }
}

const frame = fc.oneof(
  event.map(json),
  fc
    .array(event, { maxLength: 4 })
    .map(events => json({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } })),
  fc.string(),
  fc.json(),
)

test('whatever a server says, the client does not throw, shows no message twice, and does not hurry', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(frame, fc.nat(9)), { maxLength: 40 }), frames => {
      const world = createWorld()
      world.say('id 1', 'hello')
      let cursor = 0
      for (const [json, move] of frames) {
        world.feed('frame', { attempt: world.state.attempt, json })
        if (move < 3) world.answerHttp(move > 0)
        else if (move < 6) world.fire(move)
        else if (move === 6) world.feed('renew', {})
        else if (move === 7) world.feed('resend', { id: 'id 1' })
        const { log } = world.state
        expect(log.cursor === 0 || log.cursor >= cursor).toBe(true)
        cursor = log.cursor
        const ids = show(world.state).messages.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }
      for (const wait of world.waits) expect(wait).toBeLessThanOrEqual(3_600_000)
    }),
    { numRuns: runs(300, 5_000) },
  )
})
