import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BusMessage, NoticeTopic } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { ears, growth, keepingLog, spokenGrowth } from '@colloquy/test-support/bus-ends'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { subjectOf } from '../../src/nats/subject.ts'
import { openBus, ownNats, ownPrefix } from './support.ts'

const url = await useServer('nats')
const program = requireProgram('nats-server', 'nats-server')
const TOPIC: NoticeTopic = 'conversation:a'

/** Resolves when what one says is heard. */
async function talking(one: BrokerBus, heard: readonly unknown[]): Promise<void> {
  await vi.waitFor(() => {
    one.publish(TOPIC, growth(0))
    expect(heard).toContain(0)
  })
}

/** The address of a server of the test's own, with this configuration. */
async function ownUrl(configuration: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-nats-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'nats.conf')
  await writeFile(file, configuration)
  const server = await ownNats(program, '--config', file)
  await server.start()
  return `nats://127.0.0.1:${server.port}`
}

test('BN2 a url with a user, one with a token, and the options of a connection are taken', async () => {
  const [user, token] = [
    await ownUrl('authorization { user: bus, password: "p@ss" }'),
    await ownUrl('authorization { token: abc }'),
  ]
  for (const options of [
    { url: user.replace('//', '//bus:p%40ss@') },
    { url: token.replace('//', '//abc@') },
    { connection: { servers: user, user: 'bus', pass: 'p@ss' } },
  ]) {
    const { heard, listener } = ears()
    openBus(options).subscribe(TOPIC, listener)
    await talking(openBus(options), heard)
  }
})

test('BN3 a notice that is longer than the server takes comes as a gap', async () => {
  const address = await ownUrl('max_payload: 20000')
  const { heard, listener } = ears()
  const messages: BusMessage[] = []
  openBus({ url: address }).subscribe(TOPIC, {
    ...listener,
    message(message) {
      messages.push(message)
      listener.message(message)
    },
  })
  const { told, log } = keepingLog()
  const bus = openBus({ url: address, log })
  await talking(bus, heard)
  const long = (sequence: number, letters: number) => spokenGrowth(sequence, 'é'.repeat(letters))
  heard.length = 0
  bus.publish(TOPIC, long(1, 5_000))
  bus.publish(TOPIC, long(2, 12_000))
  bus.publish(TOPIC, growth(4))
  await vi.waitFor(() => expect(heard.filter(one => one !== 0)).toEqual([1, 'gap', 4]))
  expect(messages.filter(({ notice }) => 'sequence' in notice && notice.sequence > 0)).toEqual([
    long(1, 5_000),
    growth(4),
  ])
  expect(told).toEqual([])
})

test('BN4 a wrong password, and a user who may not publish or not subscribe, is told in words, without the password', async () => {
  const address = await ownUrl(`authorization {
    users = [
      { user: mute, password: x, permissions: { publish: { deny: "colloquy.>" } } },
      { user: deaf, password: x, permissions: { subscribe: { deny: "colloquy.>" } } }
    ]
  }`)
  const as = (credentials: string): string => address.replace('//', `//${credentials}@`)
  const [wrong, mute, deaf] = [keepingLog(), keepingLog(), keepingLog()]
  openBus({ url: as('mute:secret'), log: wrong.log })
  openBus({ url: as('mute:x'), log: mute.log }).publish(TOPIC, growth(1))
  openBus({ url: as('deaf:x'), log: deaf.log }).subscribe(TOPIC, ears().listener)
  await vi.waitFor(() => {
    expect(wrong.told[0]?.fields.reason).toMatch(/Authorization Violation/i)
    expect(mute.told[0]?.message).toMatch(/^NATS at 127\.0\.0\.1:\d+ refuses notices, and they are lost\.$/)
    expect(mute.told[0]?.fields.reason).toMatch(/Permissions Violation/i)
    expect(deaf.told[0]?.fields.reason).toMatch(/Permissions Violation/i)
  })
  expect(JSON.stringify(wrong.told)).not.toContain('secret')
})

test('BR3 a topic is a subject that holds no sign with a meaning, and none of 4,096 bytes', () => {
  const topics: readonly NoticeTopic[] = [
    'conversation:',
    'conversation:a.b',
    'conversation:a b',
    'conversation:*',
    'conversation:>',
    'conversation:%002a',
    'conversation:é漢😀',
    `line:${'漢'.repeat(5_000)}`,
    `line:${'漢'.repeat(5_001)}`,
    'question',
  ]
  const subjects = topics.map(topic => subjectOf('a.b', topic))
  expect(new Set(subjects).size).toBe(topics.length)
  for (const subject of subjects) expect(subject).toMatch(/^a\.b\.[A-Za-z0-9_:%-]{1,1000}$/)
})

test('BR3 buses with different prefixes do not hear each other', async () => {
  const heard = [ownPrefix(), ownPrefix()].map((prefix, index) => {
    const { heard, listener } = ears()
    openBus({ url, prefix }).subscribe(TOPIC, listener)
    return { prefix, heard, index: index + 1 }
  })
  for (const { prefix, heard: own, index } of heard) {
    const speaker = openBus({ url, prefix })
    await talking(speaker, own)
    speaker.publish(TOPIC, growth(index))
    await vi.waitFor(() => expect(own).toContain(index))
  }
  expect(heard.map(({ heard }) => heard.filter(one => one !== 'gap' && one !== 0))).toEqual([[1], [2]])
})
