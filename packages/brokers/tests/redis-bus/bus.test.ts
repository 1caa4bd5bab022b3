import type { NoticeTopic } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { ears, growth, keepingLog, spokenGrowth } from '@colloquy/test-support/bus-ends'
import { beside, CLIENTS, ownPrefix, ownRedis } from '@colloquy/test-support/redis'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { describe, expect, test, vi } from 'vitest'
import { openBus } from './support.ts'

const url = await useServer('redis')
const program = requireProgram('redis-server', 'redis-server')
const TOPIC: NoticeTopic = 'question'

/** Resolves when what one says is heard. */
async function talking(one: BrokerBus, heard: readonly unknown[]): Promise<void> {
  await vi.waitFor(() => {
    one.publish(TOPIC, growth(0))
    expect(heard).toContain(0)
  })
}

/** The address of a server of the test's own. */
async function ownUrl(): Promise<string> {
  const server = await ownRedis(program)
  await server.start()
  return `redis://127.0.0.1:${server.port}`
}

describe.each(CLIENTS)('over %s', (_name, clientOf) => {
  test('what is said in one tick reaches Redis in one piece, in order', async () => {
    const address = await ownUrl()
    const [one, other] = [openBus({ client: clientOf(address) }), openBus({ client: clientOf(address) })]
    const { heard, listener } = ears()
    other.subscribe(TOPIC, listener)
    await talking(one, heard)
    const redis = await beside(address)
    const reads = async (): Promise<number> =>
      Number(/total_reads_processed:(\d+)/.exec(await redis.info('stats'))?.[1])
    const before = await reads()
    for (let number = 1; number <= 100; number++) one.publish(TOPIC, growth(number))
    await vi.waitFor(() => expect(heard).toContain(100))
    expect(heard.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect((await reads()) - before).toBeLessThan(10)
  })

  test('however much it is, and however long the turns of the event loop are', async () => {
    const address = await ownUrl()
    const [one, other] = [openBus({ client: clientOf(address) }), openBus({ client: clientOf(address) })]
    const { heard, listener } = ears()
    other.subscribe(TOPIC, listener)
    await talking(one, heard)
    const text = 'x'.repeat(4_000)
    for (let number = 1; number <= 1_000; number++) one.publish(TOPIC, spokenGrowth(number, text))
    let turns = 0
    while (!heard.includes(1_000)) {
      const until = performance.now() + 20
      while (performance.now() < until);
      const known = heard.length
      await new Promise(resolve => setImmediate(resolve))
      if (heard.length > known) turns++
    }
    // One notice in each turn would take a thousand.
    expect(turns).toBeLessThan(300)
    expect(heard.slice(-1_000)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1))
  })

  test('BN4 a wrong password is told in words, without the password, and the right one later is taken', async () => {
    const address = await ownUrl()
    const admin = await beside(address)
    await admin.acl('SETUSER', 'bus', 'on', '>right', '~*', '&*', '+@all')
    const { told, log } = keepingLog()
    const { heard, listener } = ears()
    openBus({ client: clientOf(address.replace('//', '//bus:secret@')), log }).subscribe(TOPIC, listener)
    await vi.waitFor(() => expect(told.map(({ fields }) => fields.reason).join()).toContain('WRONGPASS'))
    expect(JSON.stringify(told)).not.toContain('secret')
    await admin.acl('SETUSER', 'bus', '>secret')
    await vi.waitFor(() => expect(heard).toEqual(['gap']))
  })

  test('BN4 a user who may not publish, or not subscribe, is told in words', async () => {
    const address = await ownUrl()
    const admin = await beside(address)
    await admin.acl('SETUSER', 'mute', 'on', '>x', '&*', '+@connection', '+info', '+subscribe')
    await admin.acl('SETUSER', 'deaf', 'on', '>x', '&*', '+@connection', '+info', '+publish')
    const [mute, deaf] = [keepingLog(), keepingLog()]
    const as = (user: string) => clientOf(address.replace('//', `//${user}:x@`))
    openBus({ client: as('mute'), log: mute.log }).publish(TOPIC, growth(1))
    openBus({ client: as('deaf'), log: deaf.log }).subscribe(TOPIC, ears().listener)
    await vi.waitFor(() => {
      expect(mute.told[0]?.message).toBe('Redis refuses notices, and they are lost.')
      expect(mute.told[0]?.fields.reason).toContain('NOPERM')
      expect(deaf.told[0]?.fields.reason).toContain('NOPERM')
    })
  })
})

test('BR2 the client that is handed in is left alone', async () => {
  const [one, other] = [new Redis(url, { lazyConnect: true }), createClient({ url })]
  const prefix = ownPrefix()
  const buses = [openBus({ client: one, prefix }), openBus({ client: other, prefix })] as const
  const { heard, listener } = ears()
  buses[1].subscribe(TOPIC, listener)
  await talking(buses[0], heard)
  expect([one.status, other.isOpen]).toEqual(['wait', false])
  await Promise.all([one.connect(), other.connect()])
  await Promise.all(buses.map(bus => bus.close()))
  expect(await Promise.all([one.ping(), other.ping()])).toEqual(['PONG', 'PONG'])
  one.disconnect()
  other.destroy()
})

test('BR2 a url is enough', async () => {
  const prefix = ownPrefix()
  const { heard, listener } = ears()
  openBus({ url, prefix }).subscribe(TOPIC, listener)
  await talking(openBus({ url, prefix }), heard)
})

test('BR3 buses with different prefixes, and sharded and plain ones, do not hear each other', async () => {
  const prefix = ownPrefix()
  const buses = [
    { url, prefix },
    { url, prefix, sharded: true },
    { url, prefix: `${prefix}a` },
  ]
  const heard = buses.map((options, index) => {
    const { heard, listener } = ears()
    openBus(options).subscribe(TOPIC, listener)
    return { options, heard, index: index + 1 }
  })
  for (const { options, heard: own, index } of heard) {
    const speaker = openBus(options)
    await talking(speaker, own)
    speaker.publish(TOPIC, growth(index))
    await vi.waitFor(() => expect(own).toContain(index))
  }
  expect(heard.map(({ heard }) => heard.filter(one => one !== 'gap' && one !== 0))).toEqual([[1], [2], [3]])
})
