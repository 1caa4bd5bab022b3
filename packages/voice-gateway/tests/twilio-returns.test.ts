import type { AgentRuntime } from '@colloquy/core/runtime'
import { signatureOf } from '@colloquy/integrations/twilio'
import { expect, test } from 'vitest'
import { askTwiml, callTwilio } from './support/phone-caller.ts'
import { TOKEN, URL_OF_TWILIO } from './support/phone-calls.ts'
import { startPhoneHost } from './support/phone-host.ts'
import { BREAKFAST, DOG, levelSpeaker, loudnessTranscriber, msOf } from './support/phone-sentences.ts'

const LEVELS = { voice: { speaker: levelSpeaker, transcriber: loudnessTranscriber } }
const CALLED = `${URL_OF_TWILIO}/voice`
const SAID_DOG = 'You said May I bring my dog.'
const SAID_BREAKFAST = 'You said Is breakfast included.'
const THAT_WAS_ALL = 'And that was all of it.'

const startHost = (more: Parameters<typeof startPhoneHost>[1] = {}) =>
  startPhoneHost('', { ...LEVELS, ...more })

type Host = Awaited<ReturnType<typeof startPhoneHost>>

/** The lines of the one conversation. */
const linesOf = async (host: Host) =>
  (await host.recorded())?.lines.map(({ text, what }) => (what === 'said' ? text : what)) ?? []

/** Resolves when the session knows that the sentence of this number in its reply was heard to its end. */
async function keeps(host: Host, caller: ReturnType<typeof callTwilio>, number: number): Promise<void> {
  await expect
    .poll(async () => {
      // The mark behind the sentence may come later than its sound.
      caller.playMarks()
      const kept = await host.kept()
      return [kept?.number, kept?.done]
    })
    .toEqual([number, true])
}

test('VG130 and VG131 a call whose stream is lost goes on in its session, greets nobody twice and says what was not heard', async () => {
  const host = await startHost()
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  caller.say(DOG)
  await caller.hear(SAID_DOG)
  await keeps(host, caller, 1)
  caller.stream().lose()
  await caller.connected(2)
  await caller.hear(THAT_WAS_ALL)
  caller.say(BREAKFAST)
  await caller.hear(SAID_BREAKFAST)
  caller.hangUp()
  await caller.over
  const twice = `You said ${DOG.words}. And that was all of it.`
  await expect
    .poll(() => linesOf(host))
    .toEqual([
      ...['Welcome.', DOG.words, twice, BREAKFAST.words],
      ...[`You said ${BREAKFAST.words}. And that was all of it.`, 'ended'],
    ])
  expect(caller.verbs).toEqual(['Connect', 'Redirect', 'Connect'])
  expect(host.errors).toEqual([])
})

test('VG130 the part of a sentence that was played before its stream was lost is not said again', async () => {
  const host = await startHost()
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  caller.say(DOG)
  // Twilio returns a mark after each half second.
  await caller.until(() => caller.stream().queue.filter(one => 'mark' in one).length >= 2)
  caller.stream().play(520)
  caller.stream().lose()
  await caller.connected(2)
  await caller.hear(THAT_WAS_ALL)
  expect(msOf(SAID_DOG)).toBe(560)
  // 500 of them are known to be played, and 20 were played behind the newest mark.
  expect(caller.msHeard(SAID_DOG)).toBeGreaterThan(560)
  expect(caller.msHeard(SAID_DOG)).toBeLessThanOrEqual(600)
  caller.hangUp()
})

test('VG133 a reply that the caller has cut is not spoken on after a loss', async () => {
  const host = await startHost()
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  caller.say(DOG)
  await caller.hear(SAID_DOG)
  await keeps(host, caller, 1)
  await caller.until(() => caller.stream().queue.length > 0)
  const before = caller.stream().clears()
  caller.say(BREAKFAST)
  await expect.poll(() => linesOf(host)).toContain(`You said ${BREAKFAST.words}. And that was all of it.`)
  await caller.until(() => caller.stream().clears() === before + 1)
  caller.stream().lose()
  await caller.connected(2)
  await caller.hear(SAID_BREAKFAST)
  await caller.hear(THAT_WAS_ALL)
  expect(caller.heard().map(({ text }) => text)).toEqual(['Welcome.', SAID_DOG, SAID_BREAKFAST, THAT_WAS_ALL])
  caller.hangUp()
})

/** Says goodbye, or puts the caller through. */
const leaver = (part: { readonly type: 'end' } | { readonly type: 'handoff' }): AgentRuntime => ({
  async *respond({ input }) {
    if (input.type !== 'message') {
      yield { type: 'text', text: 'Welcome.' }
      return
    }
    yield { type: 'text', text: part.type === 'end' ? 'Goodbye.' : 'I put you through.' }
    yield part.type === 'end' ? part : { ...part, destination: '+493012345678', reason: 'wants a person' }
  },
})

test.each([
  ['is over is hung up', { type: 'end' }, 'Goodbye.', 'Hangup'],
  ['has left for a number is dialled to it', { type: 'handoff' }, 'I put you through.', 'Dial +493012345678'],
] as const)('VG131 a call that %s', async (_, part, lastWords, verb) => {
  const host = await startHost({ runtime: leaver(part) })
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  caller.say(DOG)
  // The last words are heard after a loss, too.
  await expect.poll(() => linesOf(host)).toContain(lastWords)
  if (part.type === 'handoff') caller.stream().lose()
  await caller.connected(part.type === 'handoff' ? 2 : 1)
  await caller.hear(lastWords)
  await caller.until(() => {
    caller.playMarks()
    return caller.isOver()
  })
  await caller.over
  expect(caller.verbs.at(-1)).toBe(verb)
  expect((await linesOf(host)).at(-1)).toBe('ended')
  expect(host.errors).toEqual([])
})

test('VG132 a call that comes back without progress waits longer each time, and is ended at last', async () => {
  const host = await startHost({ maxReturns: 3 })
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  for (let count = 1; count <= 4; count++) {
    await caller.connected(count)
    caller.stream().lose()
  }
  // One message is progress: the returns count from the beginning.
  await caller.connected(5)
  caller.say(DOG)
  await caller.hear(THAT_WAS_ALL)
  for (let count = 5; count <= 9; count++) {
    await caller.connected(count)
    caller.stream().lose()
  }
  await caller.over
  const round = ['Connect', 'Redirect']
  const waits = (...lengths: readonly number[]) => lengths.flatMap(one => [`Pause ${one}`, ...round])
  expect(caller.verbs).toEqual([
    ...[...round, ...round, ...waits(1, 2, 3)],
    ...[...round, ...waits(1, 2, 3), 'Hangup'],
  ])
  expect((await linesOf(host)).at(-1)).toBe('ended')
})

test('VG132 a call lasts no longer over several streams than over one', async () => {
  const host = await startHost({ longestCall: 1 })
  const caller = callTwilio(() => host.port)
  await caller.over
  expect(caller.verbs.at(-1)).toBe('Hangup')
  expect((await linesOf(host)).at(-1)).toBe('ended')
})

test('VG131 the TwiML of a call is for who signs as Twilio, and a call of another connector gets nothing of it', async () => {
  const [host, other] = [await startHost(), await startHost()]
  const caller = callTwilio(() => host.port)
  await caller.connected(1)
  await caller.hear('Welcome.')
  const form = { CallSid: `CA${'1'.repeat(32)}`, From: '"><Dial>+49301</Dial>', CallStatus: 'in-progress' }
  for (const signature of ['', 'bm90IHNpZ25lZA=='])
    expect((await askTwiml(host.port, CALLED, form, signature)).status).toBe(403)
  // A count that Twilio did not sign.
  const signed = signatureOf(TOKEN, CALLED, new URLSearchParams(form))
  expect((await askTwiml(host.port, `${CALLED}?returns=0`, form, signed)).status).toBe(403)
  const { status, twiml } = await askTwiml(host.port, CALLED, form)
  expect([status, twiml.includes('<Dial>')]).toEqual([200, false])
  // The same id at another connector: there it is a call that has no session.
  await askTwiml(other.port, CALLED, { ...form, CallStatus: 'completed' })
  expect((await linesOf(host)).at(-1)).toBe('Welcome.')
  expect((await askTwiml(other.port, `${CALLED}?returns=5&since=0`, form)).twiml).toContain('<Hangup/>')
  // Twilio says that it is over: the caller has hung up while there was no stream.
  const over = await askTwiml(host.port, CALLED, { ...form, CallStatus: 'completed' })
  expect(over.twiml).toContain('<Hangup/>')
  expect((await linesOf(host)).at(-1)).toBe('ended')
  await caller.until(() => {
    caller.playMarks()
    return caller.isOver()
  })
})
