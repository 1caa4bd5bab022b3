import { busParts, keepingLog } from '@colloquy/test-support/bus-ends'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNotices } from '../src/guarded/notices.ts'
import { createMemoryStore } from '../src/memory/index.ts'
import { createPlatform } from '../src/platform.ts'
import { type BusListener, type BusMessage, LONGEST_MESSAGE } from '../src/ports/bus.ts'
import type { Notice, NoticeTopic } from '../src/ports/notices.ts'
import { createLocalBus } from '../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime } from '../src/testing/index.ts'

const TOPIC: NoticeTopic = 'conversation:a'
const OTHER: NoticeTopic = 'conversation:b'

const notice = (sequence: number, text = '') => ({
  ...{ sequence, events: [] },
  transients: text === '' ? [] : [systemMessage(text)],
})

const systemMessage = (message: string) =>
  ({
    type: 'SYSTEM_MESSAGE',
    custom: null,
    to: null,
    payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message },
  }) as const

/** A bus whose messages a test hands on by itself. */
function handBus() {
  const sent: BusMessage[] = []
  const listeners = new Map<NoticeTopic, BusListener>()
  const names: string[] = []
  return {
    ...{ sent, names },
    bus: {
      publish: (_topic: NoticeTopic, message: BusMessage) =>
        void sent.push(JSON.parse(JSON.stringify(message))),
      subscribe(topic: NoticeTopic, listener: BusListener) {
        listeners.set(topic, listener)
        return () => void listeners.delete(topic)
      },
      nameChannels: (secret: string) => void names.push(secret),
    },
    /** Whatever a bus may hand to its listener. */
    hand: (topic: NoticeTopic, message: unknown) =>
      Reflect.apply(listeners.get(topic)?.message ?? (() => {}), undefined, [message]),
  }
}

/** Two processes of a deployment: one speaks, the other one keeps what it hears on two topics. */
async function deployment(clock = createFakeClock()) {
  const [from, to] = [handBus(), handBus()]
  const { told, log } = keepingLog()
  const errors: unknown[] = []
  const parts = (name: string) => ({ ...busParts(name, error => errors.push(error)), clock, log })
  const speaker = createNotices(from.bus, parts('speaker'))
  const hearer = createNotices(to.bus, parts('hearer'))
  const heard: (Notice | 'gap')[] = []
  const other: (Notice | 'gap')[] = []
  for (const [topic, list] of [
    [TOPIC, heard],
    [OTHER, other],
  ] as const)
    hearer.subscribe(topic, { notice: one => void list.push(one), gap: () => void list.push('gap') })
  speaker.subscribe('question', { notice() {}, gap() {} })
  await new Promise(resolve => setImmediate(resolve))
  const say = (of: Notice, topic: NoticeTopic = TOPIC): BusMessage => {
    Reflect.apply(speaker.publish, speaker, [topic, of])
    const message = from.sent.at(-1)
    if (message === undefined) throw new Error('nothing was sent')
    return message
  }
  return { say, hand: to.hand, heard, other, told, errors, clock, names: [...from.names, ...to.names] }
}

/** A message with one thing about it changed, by somebody without the key. */
const CHANGES: Readonly<Record<string, (message: BusMessage) => unknown>> = {
  signature: message => ({
    ...message,
    signature: message.signature.replace(/^./, d => (d === '0' ? '1' : '0')),
  }),
  'no signature': ({ signature: _, ...message }) => message,
  'the number': message => ({ ...message, number: message.number + 1 }),
  'the moment': message => ({ ...message, at: message.at + 1 }),
  'the sender': message => ({ ...message, from: 'evil' }),
  'the notice': message => ({ ...message, notice: { ...message.notice, sequence: 999 } }),
  'a chunk more': message => ({ ...message, notice: notice(1, 'forged') }),
}

describe('messages of others on the bus', () => {
  test.each(Object.entries(CHANGES))(
    'NT37 a message with another %s is refused: no listener hears it, and the log is told once a minute',
    async (_, change) => {
      const { say, hand, heard, told, errors } = await deployment()
      const message = say(notice(1))
      for (let times = 0; times < 3; times++) hand(TOPIC, change(message))
      expect(heard).toEqual([])
      hand(TOPIC, message)
      expect(heard).toEqual([notice(1)])
      expect(told.map(({ message: text }) => text)).toEqual([
        'A message on the bus was not signed by a process of this deployment, and is ignored.',
      ])
      expect(errors).toEqual([])
    },
  )

  test('NT37 nothing that a bus hands on throws or is heard, whatever it is, and the next message is', async () => {
    const { say, hand, heard, errors } = await deployment()
    const cyclic: { notice?: unknown } = {}
    cyclic.notice = cyclic
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const signed = { from: 'evil', number: 1, at: 0, signature: '0'.repeat(32) }
    for (const junk of [undefined, null, '', 7, [], {}, 'evil gap', cyclic, { ...signed, notice: deep }])
      hand(TOPIC, junk)
    hand(TOPIC, { ...signed, notice: { sequence: 1, text: 'x'.repeat(20 * LONGEST_MESSAGE) } })
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (junk, inside) => {
        hand(TOPIC, junk)
        hand(TOPIC, { ...signed, notice: inside })
      }),
    )
    expect(heard).toEqual([])
    hand(TOPIC, say(notice(1)))
    expect([heard, errors]).toEqual([[notice(1)], []])
  })

  test('NT37 a signed notice of a wrong shape is refused as well: another version may have written it', async () => {
    const { say, hand, heard } = await deployment()
    const wrong: readonly unknown[] = [
      {},
      { changed: true },
      { sequence: -1, events: [], transients: [] },
      { sequence: 1.5, events: [], transients: [] },
      { sequence: 1, events: [], transients: [{ ...systemMessage('x'), type: 'SESSION_END' }] },
      { sequence: 1, events: [], transients: [{ ...systemMessage('x'), payload: {} }] },
      { sequence: 1, events: [], transients: [], again: { to: 1, sequence: 1 } },
    ]
    for (const one of wrong) hand(TOPIC, Reflect.apply(say, undefined, [one]))
    expect(heard).toEqual([])
  })

  test('NT37 a message of one topic is none of another', async () => {
    const { say, hand, other } = await deployment()
    hand(OTHER, say(notice(1, 'of another session')))
    expect(other).toEqual([])
  })

  test('NT38 no event of the log goes over the bus: a notice says how long the log is, and which event is sent again', async () => {
    const { say, hand, heard } = await deployment()
    const event = {
      id: 'e',
      at: 0,
      type: 'USER_MESSAGE',
      custom: null,
      clientEventId: null,
      sequence: 3,
    } as const
    const spoken = { ...event, payload: { text: 'a secret' } }
    const message = say({
      ...{ sequence: 3, events: [spoken], transients: [systemMessage('shown')] },
      again: { to: 'c', sequence: 3, event: spoken },
    })
    expect(JSON.stringify(message)).not.toContain('a secret')
    hand(TOPIC, message)
    expect(heard).toEqual([{ ...notice(3, 'shown'), again: { to: 'c', sequence: 3 } }])
  })

  test('NT38 a notice that is too long for a message says only how long the log is', async () => {
    const { say, hand, heard } = await deployment()
    hand(TOPIC, say(notice(3, 'x'.repeat(LONGEST_MESSAGE))))
    expect(heard).toEqual([notice(3)])
  })

  test('NT37 however messages are repeated, late and out of order, what is ephemeral in each is heard once, and the growth always', async () => {
    const deliveries = fc.array(fc.nat(29), { maxLength: 120 })
    await fc.assert(
      fc.asyncProperty(deliveries, async order => {
        const { say, hand, heard } = await deployment()
        const messages = Array.from({ length: 30 }, (_, index) => say(notice(index, `text ${index}`)))
        const had = new Set<number>()
        const expected = order.map(index => {
          const first = !had.has(index)
          had.add(index)
          return first ? notice(index, `text ${index}`) : notice(index)
        })
        for (const index of order) hand(TOPIC, messages[index])
        expect(heard).toEqual(expected)
      }),
      { numRuns: runs(20, 100) },
    )
  })

  test('NT37 a recorded message is ephemeral no more after hundreds of others, nor a minute later where it was never heard', async () => {
    const { say, hand, heard, clock } = await deployment()
    const recorded = say(notice(1, 'recorded'))
    const unheard = say(notice(2, 'unheard'))
    hand(TOPIC, recorded)
    for (let sequence = 3; sequence < 1_000; sequence++) hand(TOPIC, say(notice(sequence)))
    heard.length = 0
    hand(TOPIC, recorded)
    await clock.advance(60_001)
    hand(TOPIC, unheard)
    expect(heard).toEqual([notice(1), notice(2)])
  })

  test('until the key is read messages to others wait, and topics that heard of others are told of a gap then', async () => {
    const { say } = await deployment()
    const ended = handBus()
    let give = (_key: string): void => {}
    const key = () => new Promise<string>(resolve => (give = resolve))
    const notices = createNotices(ended.bus, { ...busParts('late'), key })
    const heard: unknown[] = []
    notices.subscribe(TOPIC, { notice: one => void heard.push(one), gap: () => void heard.push('gap') })
    notices.publish(TOPIC, notice(7))
    ended.hand(TOPIC, say(notice(1)))
    expect([heard, ended.sent]).toEqual([[notice(7)], []])
    give('the key of the deployment')
    await new Promise(resolve => setImmediate(resolve))
    expect(heard).toEqual([notice(7), 'gap'])
    expect(ended.sent.map(({ notice: said }) => said)).toEqual([notice(7)])
    ended.hand(TOPIC, say(notice(8)))
    expect(heard).toEqual([notice(7), 'gap', notice(8)])
  })

  test('a key that cannot be read is told, and read at the next use', async () => {
    const { bus, sent } = handBus()
    const errors: unknown[] = []
    let away = true
    const parts = busParts('here', (error, where) => errors.push([error, where]))
    const failure = new Error('the store is away')
    const key = () => (away ? Promise.reject(failure) : parts.key())
    const notices = createNotices(bus, { ...parts, key })
    notices.publish(TOPIC, notice(1))
    await new Promise(resolve => setImmediate(resolve))
    expect([errors, sent]).toEqual([[[failure, 'bus key']], []])
    away = false
    notices.publish(TOPIC, notice(2))
    await new Promise(resolve => setImmediate(resolve))
    expect(sent.map(({ notice: said }) => said)).toEqual([notice(2)])
  })

  test('a bus whose channels anybody may listen to gets a secret for their names, the same in all processes, which signs nothing', async () => {
    const { names, say, hand, heard } = await deployment()
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(1)
    const forger = createNotices(handBus().bus, busParts('forger'))
    forger.publish(TOPIC, notice(1))
    const evil = handBus()
    const withName = createNotices(evil.bus, { ...busParts('evil'), key: async () => names[0] ?? '' })
    withName.publish(TOPIC, notice(9))
    await new Promise(resolve => setImmediate(resolve))
    for (const message of evil.sent) hand(TOPIC, message)
    expect([heard, say(notice(1)).from]).toEqual([[], 'speaker'])
  })
})

describe('a platform whose bus others may write to', () => {
  const forged = { from: 'evil', number: 1, at: 0, signature: '0'.repeat(32) }
  const said = (sequence: number, payload: object) => ({
    ...{ id: 'x', sequence, at: 0, type: 'AI_AGENT_MESSAGE', payload, custom: null, clientEventId: null },
  })

  test('NT37 wrong, forged and missing notices end nothing, show nothing, and the conversation goes on', async () => {
    const clock = createFakeClock()
    const bus = createLocalBus()
    const listeners: BusListener[] = []
    const errors: unknown[] = []
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    process.on('unhandledRejection', note)
    const platform = createPlatform({
      ...{ store: createMemoryStore(), clock, rateLimits: null, log: keepingLog().log },
      runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Certainly.' }, clock),
      bus: {
        publish: bus.publish,
        subscribe(topic, listener) {
          if (topic.startsWith('conversation:')) listeners.push(listener)
          return bus.subscribe(topic, listener)
        },
      },
      onError: error => errors.push(error),
    })
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    const sequence = visitor.sequences().at(-1) ?? 0
    const evil: readonly unknown[] = [
      {},
      { from: 'evil', notice: {} },
      { ...forged, notice: {} },
      { ...forged, notice: { sequence, events: [], transients: [systemMessage('forged')] } },
      {
        ...forged,
        notice: { sequence: sequence + 1, events: [said(sequence + 1, { text: 'forged' })], transients: [] },
      },
    ]
    for (const listener of listeners) {
      for (const message of evil) Reflect.apply(listener.message, listener, [message])
      listener.gap()
    }
    await clock.advance(1)
    await visitor.say('Still there?')
    await platform.idle()
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
    expect(visitor.texts('SYSTEM_MESSAGE')).toEqual([])
    await platform.close()
    process.off('unhandledRejection', note)
    expect([errors, uncaught]).toEqual([[], []])
  })
})
