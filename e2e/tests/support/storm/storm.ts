import { createRandom, type Random } from '@colloquy/test-support/random'
import { createSignal } from '@colloquy/test-support/signal'
import { CREDENTIALS, type Standalone, startStandalone } from '@colloquy/test-support/standalone'
import { createApi, withBearer } from '../../../../examples/quickstart/src/api.ts'
import { textAt } from '../../../../examples/quickstart/src/json.ts'
import { createStormDesk, type StormDesk } from './desk.ts'
import { type Actor, createActor, type Role } from './roles.ts'
import { connectStormVisitor } from './visitor.ts'

/** How bad it gets. */
export interface StormOptions {
  readonly database: string
  readonly seed: number
  /** How often the server is killed. */
  readonly rounds: number
  readonly sessions: number
}

/** What is left when it is over: everybody has what they wanted, and the server runs. */
export interface Storm {
  readonly actors: readonly Actor[]
  readonly accessToken: string
  readonly desk: StormDesk
  readonly server: Standalone
  readonly figures: Readonly<Record<string, number>>
}

/** Frames that come between the start of a round and its kill: at least, and at most. */
const FRAMES = { least: 50, most: 900 } as const

const roleOf = (index: number): Role => {
  const roles: readonly Role[] = ['talks', 'ends', 'talks', 'hands_over', 'talks', 'ends_abruptly', 'is_left']
  return roles[index % roles.length] ?? 'talks'
}

/**
 * Kills the server again and again while visitors talk, each time after a random number of frames, so at any instant of
 * whatever it is doing then, and starts it again on the same file and port.
 */
export async function runStorm({ database, seed, rounds, sessions }: StormOptions): Promise<Storm> {
  const random = createRandom(seed)
  const signal = createSignal()
  let frames = 0
  const onFrame = (): void => {
    frames += 1
    signal.changed()
  }
  const settings = {
    ...CREDENTIALS,
    COLLOQUY_DATABASE: database,
    COLLOQUY_RATE_LIMITS: 'off',
    COLLOQUY_LOG: 'warn',
  }
  let server = await startStandalone(settings)
  const desk = createStormDesk(server.url)
  const accessToken = await issueToken(server)
  const actors: Actor[] = []
  for (let index = 0; index < sessions; index += 1)
    actors.push(await enter(server, { accessToken, desk, index, onFrame, random }))

  let work = actors.map(() => Promise.resolve())
  for (let round = 0; round < rounds; round += 1) {
    work = work.map((before, index) => before.then(() => actors[index]?.play(round)))
    const target = frames + FRAMES.least + random.below(FRAMES.most - FRAMES.least)
    const idle = Promise.all(work)
    await Promise.race([signal.until(() => frames >= target), idle])
    server.kill('SIGKILL')
    await server.exit
    server = await startStandalone({ ...settings, PORT: server.port })
  }
  await Promise.all(work)
  await Promise.all(actors.map(actor => actor.finish()))
  return { actors, accessToken, desk, server, figures: figuresOf(actors, rounds, frames) }
}

interface Entrance {
  readonly accessToken: string
  readonly desk: StormDesk
  readonly index: number
  readonly onFrame: () => void
  readonly random: Random
}

async function enter(server: Standalone, entrance: Entrance): Promise<Actor> {
  const { accessToken, desk, index, onFrame, random } = entrance
  const streaming = Math.floor(index / 7) % 2 === 1
  const session = await createApi(server.url)('/api/v1/sessions', {
    method: 'POST',
    headers: withBearer(accessToken),
    body: { streaming_enabled: streaming },
    status: 200,
  })
  const visitor = connectStormVisitor({
    url: server.url,
    name: `visitor-${index}`,
    sessionId: textAt(session, 'session_id'),
    accessToken,
    streaming,
    random: createRandom(random.below(2 ** 31)),
    onFrame,
  })
  return createActor(roleOf(index), visitor, desk, createRandom(random.below(2 ** 31)))
}

async function issueToken(server: Standalone): Promise<string> {
  const answer = await createApi(server.url)('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'X-Host': 'localhost' },
    status: 200,
  })
  return textAt(answer, 'access_token')
}

function figuresOf(actors: readonly Actor[], kills: number, frames: number): Storm['figures'] {
  const sum = (of: (actor: Actor) => number): number => actors.reduce((total, actor) => total + of(actor), 0)
  return {
    kills,
    frames,
    sessions: actors.length,
    messages: sum(({ visitor }) => visitor.sent.filter(({ text }) => text !== null).length),
    reconnects: sum(({ visitor }) => visitor.counts.connections - 1),
    resends: sum(({ visitor }) => visitor.counts.resends),
    echoesAgain: sum(({ visitor }) => visitor.journal.echoesAgain),
    replies: sum(({ visitor }) => visitor.journal.replyCount),
    statedFailures: sum(({ visitor }) => visitor.journal.failures.size),
    fromLiveAgents: sum(({ told }) => told.length),
    faults: sum(({ visitor }) => visitor.journal.faults.length),
  }
}
