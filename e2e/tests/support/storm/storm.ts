import { createApi, withBearer } from '@colloquy/test-support/api'
import { createRandom, type Random } from '@colloquy/test-support/random'
import { createSignal, type Signal } from '@colloquy/test-support/signal'
import { CREDENTIALS, type Standalone, startStandalone } from '@colloquy/test-support/standalone'
import { textAt } from '../../../../examples/quickstart/src/json.ts'
import { createStormDesk, type StormDesk } from './desk.ts'
import { createStormPayments } from './payments.ts'
import { type Actor, createActor, type Role, type StormWorld } from './roles.ts'
import { connectStormVisitor } from './visitor.ts'

/** How bad it gets. */
export interface StormOptions {
  readonly database: string
  readonly seed: number
  /** How often the server is killed. */
  readonly rounds: number
  readonly sessions: number
}

/** Visitors who talk with a server, whatever becomes of it meanwhile. */
export interface Crowd {
  readonly url: string
  readonly accessToken: string
  readonly actors: readonly Actor[]
  readonly desk: StormDesk
  /** Says when frames have come; how many there were. */
  readonly signal: Signal
  readonly frames: () => number
  /** Lets everybody do the part of another round, after what they are still at. */
  play(round: number): void
  /** Resolves when everybody has what they wanted so far. */
  satisfied(): Promise<unknown>
  /** Resolves when everybody has done their last part. */
  finish(): Promise<void>
  figures(): Readonly<Record<string, number>>
  /** How far each one is, in words. */
  standing(): readonly string[]
  /** What the server has said to have failed, with its words. */
  stated(): readonly string[]
}

/** What is left when it is over: everybody has what they wanted, and the server runs. */
export interface Storm {
  readonly crowd: Crowd
  readonly server: Standalone
  readonly figures: Readonly<Record<string, number>>
}

/** Frames that come between the start of a round and its kill: at least, and at most. */
const FRAMES = { least: 50, most: 900 } as const

/** What servers of a storm are told. */
export const STORM_SETTINGS = {
  ...CREDENTIALS,
  COLLOQUY_RATE_LIMITS: 'off',
  COLLOQUY_LOG: 'warn',
} as const

const ROLES: readonly Role[] = [
  ...(['talks', 'ends', 'talks', 'hands_over', 'talks', 'ends_abruptly', 'is_left', 'pays'] as const),
]

const roleOf = (index: number): Role => ROLES[index % ROLES.length] ?? 'talks'

/** Opens that many sessions on a server, one after the other. */
export async function gather(url: string, sessions: number, random: Random): Promise<Crowd> {
  const signal = createSignal()
  let frames = 0
  const onFrame = (): void => {
    frames += 1
    signal.changed()
  }
  const desk = createStormDesk(url)
  const world = { desk, payments: createStormPayments(url) }
  const accessToken = await issueToken(url)
  const actors: Actor[] = []
  for (let index = 0; index < sessions; index += 1)
    actors.push(await enter(url, { accessToken, world, index, onFrame, random }))
  let work = actors.map(() => Promise.resolve())
  return {
    url,
    accessToken,
    actors,
    desk,
    signal,
    frames: () => frames,
    play(round) {
      work = work.map((before, index) => before.then(() => actors[index]?.play(round)))
    },
    satisfied: () => Promise.all(work),
    async finish() {
      await Promise.all(work)
      await Promise.all(actors.map(actor => actor.finish()))
    },
    figures: () => figuresOf(actors, frames),
    standing: () => actors.map(standingOf),
    stated: () =>
      actors.flatMap(({ role, visitor }, index) =>
        [...visitor.journal.failures].map(
          ([id, words]) => `visitor ${index} (${role}), ${id || 'no id'}: ${words}`,
        ),
      ),
  }
}

/**
 * Kills the server again and again while visitors talk, each time after a random number of frames, so at any instant of
 * whatever it is doing then, and starts it again on the same file and port.
 */
export async function runStorm({ database, seed, rounds, sessions }: StormOptions): Promise<Storm> {
  const random = createRandom(seed)
  const settings = { ...STORM_SETTINGS, COLLOQUY_DATABASE: database }
  let server = await startStandalone(settings)
  const crowd = await gather(server.url, sessions, random)
  for (let round = 0; round < rounds; round += 1) {
    crowd.play(round)
    const target = crowd.frames() + FRAMES.least + random.below(FRAMES.most - FRAMES.least)
    await Promise.race([crowd.signal.until(() => crowd.frames() >= target), crowd.satisfied()])
    server.kill('SIGKILL')
    await server.exit
    server = await startStandalone({ ...settings, PORT: server.port })
  }
  await crowd.finish()
  return { crowd, server, figures: { kills: rounds, ...crowd.figures() } }
}

interface Entrance {
  readonly accessToken: string
  readonly world: StormWorld
  readonly index: number
  readonly onFrame: () => void
  readonly random: Random
}

async function enter(url: string, entrance: Entrance): Promise<Actor> {
  const { accessToken, world, index, onFrame, random } = entrance
  const streaming = Math.floor(index / ROLES.length) % 2 === 1
  const session = await createApi(url)('/api/v1/sessions', {
    method: 'POST',
    headers: withBearer(accessToken),
    body: { streaming_enabled: streaming },
    status: 200,
  })
  const visitor = connectStormVisitor({
    url,
    name: `visitor-${index}`,
    sessionId: textAt(session, 'session_id'),
    accessToken,
    streaming,
    random: createRandom(random.below(2 ** 31)),
    onFrame,
  })
  return createActor(roleOf(index), visitor, world, createRandom(random.below(2 ** 31)))
}

async function issueToken(url: string): Promise<string> {
  const answer = await createApi(url)('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'X-Host': 'localhost' },
    status: 200,
  })
  return textAt(answer, 'access_token')
}

const standingOf = ({ role, visitor, asked, reported, handoffId }: Actor, index: number): string => {
  const { journal, sent, counts, over, sessionId } = visitor
  return `visitor ${index} (${role}) in ${sessionId}: asked ${asked.length}, reported ${reported}, sent ${sent.length}, has ${journal.replyCount} replies, ${journal.failures.size} failures and ${journal.events.length} events, connected ${counts.connections} times, ${visitor.connected ? 'is' : 'is not'} connected, ${over ? 'over' : 'open'}, handoff ${handoffId}, refused with ${visitor.refusal || 'nothing'}`
}

function figuresOf(actors: readonly Actor[], frames: number): Storm['figures'] {
  const sum = (of: (actor: Actor) => number): number => actors.reduce((total, actor) => total + of(actor), 0)
  return {
    frames,
    sessions: actors.length,
    messages: sum(({ visitor }) => visitor.sent.filter(({ text }) => text !== null).length),
    reconnects: sum(({ visitor }) => visitor.counts.connections - 1),
    resends: sum(({ visitor }) => visitor.counts.resends),
    echoesAgain: sum(({ visitor }) => visitor.journal.echoesAgain),
    replies: sum(({ visitor }) => visitor.journal.replyCount),
    statedFailures: sum(({ visitor }) => visitor.failed.length + visitor.failedResults),
    refused: sum(({ visitor }) => visitor.counts.refused),
    reported: sum(({ reported }) => reported),
    fromLiveAgents: sum(({ told }) => told.length),
    faults: sum(({ visitor }) => visitor.journal.faults.length),
  }
}
