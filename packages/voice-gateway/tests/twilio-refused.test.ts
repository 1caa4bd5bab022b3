import { PlatformError } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { expect, test } from 'vitest'
import { askTwiml, callTwilio } from './support/phone-caller.ts'
import { URL_OF_TWILIO } from './support/phone-calls.ts'
import { startPhoneHost } from './support/phone-host.ts'
import { DOG, levelSpeaker, loudnessTranscriber } from './support/phone-sentences.ts'

const LEVELS = { voice: { speaker: levelSpeaker, transcriber: loudnessTranscriber } }
const SAID_DOG = 'You said May I bring my dog.'
const THAT_WAS_ALL = 'And that was all of it.'

/** A store that can be busy, for the names of calls alone. */
function createBusyStore() {
  const memory = createMemoryStore()
  const { messageKeys } = memory.conversations
  let isBusy = false
  const store: typeof memory = {
    ...memory,
    conversations: {
      ...memory.conversations,
      messageKeys: {
        ...messageKeys,
        async holder(key, since) {
          if (isBusy) throw new PlatformError('STORE_BUSY', 'The store is busy.')
          return messageKeys.holder(key, since)
        },
      },
    },
  }
  return {
    store,
    setBusy(busy: boolean) {
      isBusy = busy
    },
  }
}

type Host = Awaited<ReturnType<typeof startPhoneHost>>

const revoke = ({ connector, platform }: Host): Promise<void> => platform.access.revokeConnector(connector.id)

/** The lines of the one conversation. */
const linesOf = async (host: Host) =>
  (await host.recorded())?.lines.map(({ text, what }) => (what === 'said' ? text : what)) ?? []

test('VG131 a call that rings while the store is busy hears that the line is busy, and has no conversation', async () => {
  const busy = createBusyStore()
  const host = await startPhoneHost('', { ...LEVELS, platform: { store: busy.store } })
  busy.setBusy(true)
  const caller = callTwilio(() => host.port)
  await caller.over
  expect(caller.verbs).toEqual(['Reject busy'])
  expect(String(host.errors)).toContain('The store is busy.')
  busy.setBusy(false)
  const later = callTwilio(() => host.port)
  await later.connected(1)
  await later.hear('Welcome.')
  later.hangUp()
})

test('VG131 a call that asks too often is busy as well', async () => {
  const host = await startPhoneHost('', {
    ...LEVELS,
    platform: { rateLimits: { accessToken: { perSecond: 0.001, burst: 1 } } },
  })
  const form = { CallSid: `CA${'2'.repeat(32)}`, CallStatus: 'ringing' }
  const answers = [1, 2].map(() => askTwiml(host.port, `${URL_OF_TWILIO}/voice`, form))
  const [first, second] = await Promise.all(answers)
  expect([first?.status, second?.status]).toEqual([200, 200])
  expect([first?.twiml, second?.twiml].filter(one => one?.includes('<Reject reason="busy"/>'))).toHaveLength(
    1,
  )
  expect(String(host.errors)).toMatch(/The connector of a call cannot be used: .*\./)
})

test('VG131 a call whose connector is revoked is a number that is not in service, and one that speaks is hung up', async () => {
  const host = await startPhoneHost('', LEVELS)
  const speaks = callTwilio(() => host.port)
  await speaks.connected(1)
  await speaks.hear('Welcome.')
  await revoke(host)
  await speaks.over
  expect(speaks.verbs).toEqual(['Connect', 'Redirect', 'Hangup'])
  const rings = callTwilio(() => host.port, `CA${'2'.repeat(32)}`)
  await rings.over
  expect(rings.verbs).toEqual(['Reject rejected'])
})

test('VG131 a call that speaks while the store is busy waits for it, and goes on where it was', async () => {
  const busy = createBusyStore()
  const host = await startPhoneHost('', { ...LEVELS, platform: { store: busy.store } })
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  const comeBack = caller.lose()
  busy.setBusy(true)
  comeBack()
  await caller.until(() => caller.verbs.includes('Pause 2'))
  busy.setBusy(false)
  await caller.connected(2)
  caller.say(DOG)
  await caller.hear(SAID_DOG)
  await caller.hear(THAT_WAS_ALL)
  caller.hangUp()
  await caller.over
  expect(await linesOf(host)).toEqual(['Welcome.', DOG.words, `${SAID_DOG} ${THAT_WAS_ALL}`, 'ended'])
  expect(caller.heard().map(({ text }) => text)).toEqual(['Welcome.', SAID_DOG, THAT_WAS_ALL])
})

test('VG131 a call whose store stays busy is hung up after as many returns as any', async () => {
  const busy = createBusyStore()
  const host = await startPhoneHost('', { ...LEVELS, maxReturns: 2, platform: { store: busy.store } })
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  busy.setBusy(true)
  caller.stream().lose()
  await caller.over
  const wait = (seconds: number) => [`Pause ${seconds}`, 'Redirect']
  expect(caller.verbs).toEqual(['Connect', 'Redirect', ...wait(1), ...wait(2), 'Hangup'])
})

test('VG15 a call at a server that is full waits until another one has ended', async () => {
  const host = await startPhoneHost('', { ...LEVELS, maxCalls: 1 })
  const first = callTwilio(() => host.port)
  await first.connected(1)
  await first.hear('Welcome.')
  const second = callTwilio(() => host.port, `CA${'2'.repeat(32)}`)
  await second.until(() => second.verbs.includes('Pause 1'))
  first.hangUp()
  await second.connected(1)
  await second.hear('Welcome.')
  second.hangUp()
  await second.over
})
