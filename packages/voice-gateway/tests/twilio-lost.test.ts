import { createServer } from 'node:http'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { expect, onTestFinished, test } from 'vitest'
import { answerPhone } from './guide-phone.ts'
import { answerTwilio } from './guide-twilio.ts'
import { startNetwork } from './support/network.ts'
import { callTwilio } from './support/phone-caller.ts'
import { answerWith, TOKEN } from './support/phone-calls.ts'
import { parrot, startPhoneHost, TO_THE_DESK } from './support/phone-host.ts'
import { BREAKFAST, DOG, levelSpeaker, loudnessTranscriber, msOf } from './support/phone-sentences.ts'

const LEVELS = { speaker: levelSpeaker, transcriber: loudnessTranscriber }
const SAID_DOG = 'You said May I bring my dog.'
const SAID_BREAKFAST = 'You said Is breakfast included.'
const THAT_WAS_ALL = 'And that was all of it.'
const AWAY_MS = 5_000

type Host = Awaited<ReturnType<typeof startPhoneHost>>
type Caller = ReturnType<typeof callTwilio>

/** The lines of the one conversation. */
const linesOf = async (host: Host) =>
  (await host.recorded())?.lines.map(({ text, what }) => (what === 'said' ? text : what)) ?? []

/** The ways in which a stream is lost: its server hears of it, or does not. */
const WAYS = [
  ['is gone', false],
  ['is gone without a word', true],
] as const

/** A caller who has been greeted over a network, and how they lose their stream for five seconds. */
async function startCall(isSilent: boolean, options: Parameters<typeof startPhoneHost>[1] = {}) {
  const host = await startPhoneHost('', { voice: LEVELS, ...options })
  const network = await startNetwork(host.port)
  const caller = callTwilio(
    () => host.port,
    undefined,
    () => network.port,
  )
  await caller.connected(1)
  await caller.hear('Welcome.')
  let greeting: string | undefined
  /** Resolves when the session has kept that the sentence of this number in its reply was heard to its end. */
  const keeps = (number: number): Promise<void> =>
    expect
      .poll(async () => {
        const kept = await host.kept()
        return kept?.done === true && kept.id !== greeting ? kept.number : 0
      })
      .toBe(number)
  await keeps(1)
  greeting = (await host.kept())?.id
  /** @param meanwhile what happens while the stream is away */
  async function lose(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    if (isSilent) network.cut()
    const comeBack = caller.lose()
    await meanwhile()
    host.pass(AWAY_MS)
    comeBack()
    await caller.connected(2)
  }
  return { host, caller, keeps, lose }
}

/** Hangs up. Says what was said in the one conversation, and what was heard of it. */
async function end(host: Host, caller: Caller) {
  caller.hangUp()
  await caller.over
  await expect.poll(() => linesOf(host)).toContain('ended')
  expect(host.errors).toEqual([])
  expect(caller.verbs).toEqual(['Connect', 'Redirect', 'Connect'])
  return { lines: await linesOf(host), heard: caller.heard().map(({ text }) => text) }
}

/** Repeats what it was told in two sentences, the second one when it is let. */
function createSlowParrot() {
  let goOn = (): void => {}
  const gate = new Promise<void>(resolve => {
    goOn = resolve
  })
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      yield { type: 'text', text: input.type === 'message' ? `You said ${input.text}. ` : 'Welcome.' }
      if (input.type !== 'message') return
      await gate
      yield { type: 'text', text: THAT_WAS_ALL }
    },
  }
  return { runtime, goOn }
}

test.each(WAYS)(
  'VG130 a stream that %s in the middle of a sentence comes back in it',
  async (_, isSilent) => {
    const { caller, host, lose } = await startCall(isSilent)
    caller.say(DOG)
    await caller.until(() => caller.stream().queue.filter(one => 'mark' in one).length >= 2)
    caller.stream().play(500)
    caller.stream().playMarks()
    await caller.until(() => caller.stream().queue.length > 0)
    await lose()
    await caller.hear(THAT_WAS_ALL)
    // Whether the mark behind half of the sentence arrived is luck where nobody hears of the loss.
    const most = msOf(SAID_DOG) + (isSilent ? 500 : 20)
    expect(caller.msHeard(SAID_DOG)).toBeGreaterThan(msOf(SAID_DOG) - 20)
    expect(caller.msHeard(SAID_DOG)).toBeLessThanOrEqual(most)
    const { lines } = await end(host, caller)
    expect(lines).toEqual(['Welcome.', DOG.words, `${SAID_DOG} ${THAT_WAS_ALL}`, 'ended'])
  },
)

test.each(WAYS)(
  'VG130 a stream that %s while the agent still speaks comes back into the reply, which is heard once',
  async (_, isSilent) => {
    const { goOn, runtime } = createSlowParrot()
    const { caller, host, keeps, lose } = await startCall(isSilent, { runtime })
    caller.say(DOG)
    await caller.hear(SAID_DOG)
    await keeps(1)
    await lose()
    goOn()
    await caller.hear(THAT_WAS_ALL)
    caller.say(BREAKFAST)
    await caller.hear(SAID_BREAKFAST)
    await caller.hear(THAT_WAS_ALL, 2)
    const { heard, lines } = await end(host, caller)
    expect(heard).toEqual(['Welcome.', SAID_DOG, THAT_WAS_ALL, SAID_BREAKFAST, THAT_WAS_ALL])
    expect(lines).toEqual([
      ...['Welcome.', DOG.words, `${SAID_DOG} ${THAT_WAS_ALL}`],
      ...[BREAKFAST.words, `${SAID_BREAKFAST} ${THAT_WAS_ALL}`, 'ended'],
    ])
  },
)

test.each(WAYS)(
  'VG130 a stream that %s while the caller speaks loses no message, and what they say again is said once',
  async (_, isSilent) => {
    const { caller, host, keeps, lose } = await startCall(isSilent)
    caller.say(BREAKFAST)
    await caller.hear(SAID_BREAKFAST)
    await caller.hear(THAT_WAS_ALL)
    await keeps(2)
    // The caller has begun, and says it from the beginning once they are back.
    caller.stream().sound(400, DOG.level)
    await lose()
    caller.say(DOG)
    await caller.hear(SAID_DOG)
    await caller.hear(THAT_WAS_ALL, 2)
    const { heard, lines } = await end(host, caller)
    expect(heard).toEqual(['Welcome.', SAID_BREAKFAST, THAT_WAS_ALL, SAID_DOG, THAT_WAS_ALL])
    expect(lines).toEqual([
      ...['Welcome.', BREAKFAST.words, `${SAID_BREAKFAST} ${THAT_WAS_ALL}`],
      ...[DOG.words, `${SAID_DOG} ${THAT_WAS_ALL}`, 'ended'],
    ])
  },
)

const toThePorter: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? 'I put you through.' : 'Welcome.' }
    if (input.type === 'message') yield { type: 'handoff', destination: '', reason: 'wants a person' }
  },
}

test.each(WAYS)(
  'VG130 a stream that %s during a takeover comes back to the live agent, whose words are heard once',
  async (_, isSilent) => {
    const options = { runtime: toThePorter, handoff: TO_THE_DESK }
    const { caller, host, keeps, lose } = await startCall(isSilent, options)
    const { desk } = host.platform
    caller.say(DOG)
    await caller.hear('I put you through.')
    await keeps(1)
    const waiting = () => desk.handoffs(host.accountId, 'waiting')
    await expect.poll(async () => (await waiting()).length).toBe(1)
    const [handoff] = await waiting()
    if (handoff === undefined) throw new Error('Nobody waits.')
    await lose(async () => {
      await desk.accept(host.accountId, handoff.handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
      await desk.send(host.accountId, handoff.handoffId, { text: THAT_WAS_ALL, messageId: 'ada:1' })
    })
    await caller.hear(THAT_WAS_ALL)
    caller.say(BREAKFAST)
    await expect.poll(() => linesOf(host)).toContain(BREAKFAST.words)
    await desk.send(host.accountId, handoff.handoffId, { text: 'Goodbye.', messageId: 'ada:2' })
    await caller.hear('Goodbye.')
    const { heard, lines } = await end(host, caller)
    expect(heard).toEqual(['Welcome.', 'I put you through.', THAT_WAS_ALL, 'Goodbye.'])
    expect(lines.filter(line => [DOG.words, BREAKFAST.words].includes(line))).toEqual([
      DOG.words,
      BREAKFAST.words,
    ])
  },
)

/** Another server over the store of a host. */
async function startOther({ token }: Host, store: ReturnType<typeof createMemoryStore>) {
  const platform = createPlatform({
    store,
    runtime: parrot,
    chunkFlush: 0,
    rateLimits: { accessToken: null },
  })
  const server = createServer((incoming, outgoing) => void answerWith(handle, incoming, outgoing))
  const calls = answerPhone(server, platform, LEVELS, { connectorToken: token, authToken: TOKEN })
  const handle = answerTwilio(platform, calls, TOKEN)
  onTestFinished(async () => {
    await calls.close()
    server.close()
    await platform.close()
  })
  return listenOn(server)
}

test('VG130 a server that does not know that a stream is gone does not end the call, which goes on at another one', async () => {
  const store = createMemoryStore()
  const host = await startPhoneHost('', { voice: LEVELS, platform: { store } })
  const other = await startOther(host, store)
  const network = await startNetwork(host.port)
  let [request, stream] = [host.port, network.port]
  const caller = callTwilio(
    () => request,
    undefined,
    () => stream,
  )
  await caller.connected(1)
  await caller.hear('Welcome.')
  caller.say(DOG)
  // The first server has sent the reply, and waits for marks.
  await caller.until(() => caller.stream().queue.filter(one => 'mark' in one).length >= 2)
  network.cut()
  const comeBack = caller.lose()
  request = other
  stream = other
  comeBack()
  await caller.connected(2)
  await caller.hear(SAID_DOG)
  await caller.hear(THAT_WAS_ALL)
  // Nobody plays what it has sent: it gives its stream up.
  host.pass(31_000)
  await expect.poll(() => network.isQuit()).toBe(true)
  caller.say(BREAKFAST)
  await caller.hear(SAID_BREAKFAST)
  await caller.hear(THAT_WAS_ALL, 2)
  caller.hangUp()
  await caller.over
  expect(caller.verbs).toEqual(['Connect', 'Redirect', 'Connect'])
  expect(await linesOf(host)).toEqual([
    ...['Welcome.', DOG.words, `${SAID_DOG} ${THAT_WAS_ALL}`],
    ...[BREAKFAST.words, `${SAID_BREAKFAST} ${THAT_WAS_ALL}`, 'ended'],
  ])
})
