import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNotices } from '../../guarded/notices.ts'
import type { Bus, BusMessage } from '../../ports/bus.ts'
import { silentLog } from '../../ports/log.ts'
import {
  type ConversationNotice,
  type ConversationTopic,
  type NoticeTopic,
  topics,
} from '../../ports/notices.ts'
import { systemClock } from '../../system/system.ts'

/** One process's end of a bus. */
export interface BusEnd {
  readonly bus: Bus
  close(): Promise<void>
}

/** The contract's access to the bus under test. */
export interface BusFactory {
  /** The bus of one more process, connected with those that were made before in the same test. */
  connect(): Promise<BusEnd>
  /**
   * Cuts the connection that carries the messages, and restores it: resolves when it is back. Left out for a bus that
   * is never away, to which the rule about gaps does not apply.
   */
  interrupt?(): Promise<void>
  /** Sends a foreign text to the listeners of a topic. Left out for a bus that nobody else can reach. */
  intrude?(topic: NoticeTopic, text: string): Promise<void>
}

/** The secret that names channels. The contract hands it to a bus that wants one, as a platform does. */
export const CHANNEL_SECRET = 'a secret of the bus contract'

/** The time within which something must come, milliseconds, also on a machine that is busy with much else. */
const PATIENCE = 25_000

/** Topics that a bus has to take as they are. */
const STRANGE_IDS = [
  '',
  ' ',
  'a b',
  'a.b',
  '*',
  '>',
  'a:b',
  '#',
  '\u0001',
  'é漢😀',
  '__proto__',
  `${'x'.repeat(200)}`,
]

const topicOf = (id: string): NoticeTopic => topics.conversation(id)

const message = (sequence: number, text = ''): BusMessage => ({
  from: 'one',
  number: sequence,
  at: 0,
  notice: {
    sequence,
    events: [],
    transients: text === '' ? [] : [{ type: 'SYSTEM_MESSAGE', payload: { text }, custom: null, to: null }],
  },
  signature: 'a bus does not look',
})

const isGrowth = (notice: BusMessage['notice']): notice is ConversationNotice => 'sequence' in notice

/** Subscribes for the rest of the test and keeps what comes. */
function listen({ bus }: BusEnd, topic: NoticeTopic) {
  const messages: BusMessage[] = []
  const heard = { messages, greetings: 0, gaps: 0, stop: () => {} }
  heard.stop = bus.subscribe(topic, {
    message(one) {
      // It may have been sent again before it was received, and come late.
      if (isGrowth(one.notice) && one.notice.sequence === 0) heard.greetings++
      else messages.push(one)
    },
    gap: () => {
      heard.gaps++
    },
  })
  onTestFinished(() => heard.stop())
  return heard
}

const sequences = ({ messages }: ReturnType<typeof listen>): readonly number[] =>
  messages.flatMap(({ notice }) => (isGrowth(notice) ? [notice.sequence] : []))

/** A message for a topic, and whether its listener has heard it. */
interface Said {
  readonly topic: NoticeTopic
  readonly message: BusMessage
  isHeard(): boolean
}

/**
 * Says each message until it is heard: what a bus cannot send while it is away or too busy is lost. While more and more
 * is heard nothing is said again, however long that takes.
 */
async function sayUntilHeard(from: BusEnd, all: readonly Said[]): Promise<void> {
  let unheard = all
  let pause = 50 + all.length / 10
  let progressAt = performance.now()
  while (unheard.length > 0) {
    for (const { message, topic } of unheard) from.bus.publish(topic, message)
    for (let before = Number.POSITIVE_INFINITY; unheard.length > 0 && unheard.length < before; ) {
      before = unheard.length
      await new Promise(resolve => setTimeout(resolve, pause))
      unheard = unheard.filter(({ isHeard }) => !isHeard())
      if (unheard.length < before) progressAt = performance.now()
    }
    pause *= 2
    // A few of them: a list of thousands takes longer to show than the bus may take.
    if (performance.now() > progressAt + PATIENCE)
      expect(unheard.slice(0, 5).map(({ topic }) => topic)).toEqual([])
  }
}

/** Waits until all subscriptions work: sends something until each has received it, then discards it. */
async function ready(
  from: BusEnd,
  listeners: readonly (readonly [NoticeTopic, ReturnType<typeof listen>])[],
) {
  for (const [, heard] of listeners) heard.greetings = 0
  await sayUntilHeard(
    from,
    listeners.map(([topic, heard]) => ({
      ...{ topic, message: message(0) },
      isHeard: () => heard.greetings > 0,
    })),
  )
  await quiet(listeners.map(([, heard]) => heard))
}

/** Waits until nothing more comes. */
async function quiet(heard: readonly ReturnType<typeof listen>[]): Promise<void> {
  const count = (): number =>
    heard.reduce((sum, { messages, greetings }) => sum + messages.length + greetings, 0)
  let before = -1
  await vi.waitFor(
    () => {
      const now = count()
      const still = now === before
      before = now
      expect(still).toBe(true)
    },
    { timeout: PATIENCE, interval: 100 },
  )
}

/** Invalid messages, and messages with a foreign signature. */
const INTRUSIONS: readonly string[] = [
  ...['', 'hello', '{}', 'null', '[[[', 'evil {}', 'evil {"from":"evil","notice":{}}'],
  `evil ${JSON.stringify({ from: 'evil', notice: { sequence: 666, events: [], transients: [] } })}`,
  `evil ${JSON.stringify({ ...message(666), from: 'evil' })}`,
  `evil ${'['.repeat(5_000)}`,
]

/** Returns the notices of a process over a bus, and those that it received on a topic. */
function processOver({ bus }: BusEnd, from: string, topic: ConversationTopic) {
  const errors: unknown[] = []
  const carried = { publish: bus.publish.bind(bus), subscribe: bus.subscribe.bind(bus) }
  const notices = createNotices(carried, {
    ...{ from, clock: systemClock, log: silentLog },
    key: async () => 'the key of the contract',
    onError: error => errors.push(error),
  })
  const heard: ConversationNotice[] = []
  const subscription = notices.subscribe(topic, { notice: one => void heard.push(one), gap() {} })
  onTestFinished(() => subscription.end())
  return { notices, heard, errors }
}

/**
 * Declares the tests of the `Bus` port (rules BU1 to BU7 and NT37) for one adapter. To be called in a vitest
 * file. A bus may lose, double and delay messages when something fails; here nothing fails but what `interrupt` takes
 * away.
 */
export function testBus(name: string, factory: BusFactory): void {
  const connect = async (): Promise<BusEnd> => {
    const end = await factory.connect()
    end.bus.nameChannels?.(CHANNEL_SECRET)
    onTestFinished(() => end.close())
    return end
  }
  const twoEnds = async (): Promise<readonly [BusEnd, BusEnd]> => [await connect(), await connect()]

  describe(`${name}: bus`, () => {
    it('BU1 a message reaches those who listen to its topic, and no one else', async () => {
      const [one, other] = await twoEnds()
      const third = await connect()
      const [a, b, c] = [
        listen(other, topicOf('a')),
        listen(other, topicOf('b')),
        listen(third, topicOf('a')),
      ]
      await ready(one, [
        [topicOf('a'), a],
        [topicOf('b'), b],
        [topicOf('a'), c],
      ])
      one.bus.publish(topicOf('a'), message(1))
      await vi.waitFor(() => expect([sequences(a), sequences(c)]).toEqual([[1], [1]]), PATIENCE)
      expect(b.messages).toEqual([])
    })

    it('BU1 messages of one publisher on one topic keep their order', async () => {
      const [one, other] = await twoEnds()
      const heard = listen(other, topicOf('a'))
      await ready(one, [[topicOf('a'), heard]])
      const sent = Array.from({ length: 500 }, (_, index) => index + 1)
      for (const sequence of sent) one.bus.publish(topicOf('a'), message(sequence))
      await vi.waitFor(() => expect(sequences(heard)).toEqual(sent), PATIENCE)
    })

    it('BU1 a message comes as it was said, also one of 100 kB', async () => {
      const [one, other] = await twoEnds()
      const heard = listen(other, topicOf('a'))
      await ready(one, [[topicOf('a'), heard]])
      const sent = [message(1, 'é漢😀\u0000\u2028"\\'), message(2, 'x'.repeat(100_000))]
      for (const each of sent) one.bus.publish(topicOf('a'), each)
      await vi.waitFor(() => expect(heard.messages).toEqual(sent), PATIENCE)
    })

    it('BU1 a subscription that ended hears nothing more, and the topic can be listened to again', async () => {
      const [one, other] = await twoEnds()
      const [ended, beside] = [listen(other, topicOf('a')), listen(other, topicOf('b'))]
      await ready(one, [
        [topicOf('a'), ended],
        [topicOf('b'), beside],
      ])
      ended.stop()
      one.bus.publish(topicOf('a'), message(1))
      one.bus.publish(topicOf('b'), message(2))
      await vi.waitFor(() => expect(sequences(beside)).toEqual([2]), PATIENCE)
      await quiet([ended, beside])
      expect(ended.messages).toEqual([])
      const again = listen(other, topicOf('a'))
      await ready(one, [[topicOf('a'), again]])
      one.bus.publish(topicOf('a'), message(3))
      await vi.waitFor(() => expect(sequences(again)).toEqual([3]), PATIENCE)
      expect(ended.messages).toEqual([])
    })

    it('BU1 a topic may hold any text, and none is taken for another', async () => {
      const [one, other] = await twoEnds()
      const heard = STRANGE_IDS.map(id => [topicOf(id), listen(other, topicOf(id))] as const)
      await ready(one, heard)
      for (const [index, [topic]] of heard.entries()) one.bus.publish(topic, message(index + 1))
      await vi.waitFor(
        () => expect(heard.map(([, each]) => sequences(each))).toEqual(heard.map((_, index) => [index + 1])),
        PATIENCE,
      )
    })

    it('BU1 ten thousand topics may be listened to at once', async () => {
      const [one, other] = await twoEnds()
      const heard = Array.from({ length: 10_000 }, (_, index) => {
        const topic = topicOf(`many-${index}`)
        return [topic, listen(other, topic)] as const
      })
      await ready(one, heard)
      await sayUntilHeard(
        one,
        heard.map(([topic, each], index) => ({
          ...{ topic, message: message(index + 1) },
          isHeard: () => sequences(each).includes(index + 1),
        })),
      )
      const others = heard.filter(([, each], index) => sequences(each).some(one => one !== index + 1))
      expect(others.map(([topic]) => topic)).toEqual([])
    })

    it('NT37 a platform hears over the bus what others of its deployment sign, once; forged and repeated notices show nothing', async () => {
      const [one, other, evil] = [await connect(), await connect(), await connect()]
      const topic = topics.conversation('signed')
      const speaker = processOver(one, 'speaker', topic)
      const hearer = processOver(other, 'hearer', topic)
      const chunk = {
        ...{ custom: null, to: null },
        type: 'SYSTEM_MESSAGE',
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: 'shown' },
      } as const
      const recorded: BusMessage[] = []
      onTestFinished(evil.bus.subscribe(topic, { message: said => void recorded.push(said), gap: () => {} }))
      const shown = (): number => hearer.heard.filter(({ transients }) => transients.length > 0).length
      await vi.waitFor(() => {
        speaker.notices.publish(topic, { sequence: 0, events: [], transients: [] })
        expect([hearer.heard.length > 0, recorded.length > 0]).toEqual([true, true])
      }, PATIENCE)
      speaker.notices.publish(topic, { sequence: 1, events: [], transients: [chunk] })
      await vi.waitFor(
        () =>
          expect([shown(), recorded.at(-1)?.notice]).toEqual([1, expect.objectContaining({ sequence: 1 })]),
        PATIENCE,
      )
      const last = recorded.at(-1)
      if (last === undefined) throw new Error('Nothing was recorded.')
      for (let times = 0; times < 3; times++) evil.bus.publish(topic, last)
      evil.bus.publish(topic, { ...last, number: last.number + 1 })
      evil.bus.publish(topic, { ...message(666), from: 'evil' })
      await vi.waitFor(() => {
        speaker.notices.publish(topic, { sequence: 2, events: [], transients: [] })
        expect(hearer.heard.at(-1)?.sequence).toBe(2)
      }, PATIENCE)
      expect([shown(), hearer.heard.some(({ sequence }) => sequence === 666)]).toEqual([1, false])
      expect([...speaker.errors, ...hearer.errors]).toEqual([])
    })

    const { interrupt, intrude } = factory
    if (intrude !== undefined)
      it('NT37 texts of somebody else, however long, end nothing, and the messages after them come', async () => {
        const [one, other] = await twoEnds()
        const topic = topics.conversation('intruded')
        const heard = listen(other, topic)
        const hearer = processOver(await connect(), 'hearer', topic)
        await ready(one, [[topic, heard]])
        for (const text of INTRUSIONS) await intrude(topic, text)
        one.bus.publish(topic, message(1))
        await vi.waitFor(() => expect(sequences(heard)).toContain(1), PATIENCE)
        expect([hearer.heard, hearer.errors]).toEqual([[], []])
      })

    if (interrupt === undefined) return
    it('BU7 a bus that was away says so to every subscription once it works again', async () => {
      const [one, other] = await twoEnds()
      const [a, b] = [listen(other, topicOf('a')), listen(other, topicOf('b'))]
      const both = [
        [topicOf('a'), a],
        [topicOf('b'), b],
      ] as const
      await ready(one, both)
      await interrupt()
      await vi.waitFor(() => expect(Math.min(a.gaps, b.gaps)).toBeGreaterThan(0), PATIENCE)
      await ready(one, both)
      one.bus.publish(topicOf('a'), message(1))
      await vi.waitFor(() => expect(sequences(a)).toEqual([1]), PATIENCE)
    })
  })
}
