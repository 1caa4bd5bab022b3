import { Writable } from 'node:stream'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform, type PlatformOptions } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime, type FakeClock, type Script } from '@colloquy/core/testing'
import { TEST_BRAND } from '@colloquy/test-support/brand'
import { onTestFinished } from 'vitest'
import type { LinkEvents, LinkTarget } from '../src/link.ts'
import { createVisitorClient, type ServerEvent, type VisitorClient } from '../src/visitor-client.ts'

const TOKEN = 'connector-token-of-the-tests'

/** A platform whose agent says what it is told to, and a session with it. */
export async function openSession(
  script: Script,
  rateLimits: PlatformOptions['rateLimits'] = null,
): Promise<{ platform: Platform; clock: FakeClock; session: Omit<LinkTarget, 'cursor'> }> {
  const clock = createFakeClock()
  const platform = createPlatform({
    store: createSqliteStore({ filename: ':memory:' }),
    runtime: createScriptedRuntime({ greeting: 'Welcome.', ...script }, clock),
    clock,
    rateLimits,
    brand: TEST_BRAND,
  })
  onTestFinished(() => platform.close())
  const { access, agents, messaging } = platform
  const { id: accountId } = await access.createAccount({ slug: 'acme', name: 'Acme' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  await access.createConnector({
    accountId,
    agentId,
    environment: 'live',
    hosts: ['localhost'],
    token: TOKEN,
  })
  const { accessToken } = await messaging.issueAccessToken({
    connectorToken: TOKEN,
    host: 'localhost',
    remoteAddress: 'test',
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await messaging.createSession({ authorization, streaming: true })
  return { platform, clock, session: { sessionId, accessToken } }
}

/** An output that nobody reads until it is told to. */
export function createSlowOutput(): { readonly output: Writable; read(): void } {
  let reading = false
  let held: (() => void) | null = null
  const output = new Writable({
    highWaterMark: 1_000,
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      if (reading) done()
      else held = done
    },
  })
  return {
    output,
    read() {
      reading = true
      held?.()
    },
  }
}

/** A client that notes what it is sent, and writes it to the output. */
export function createListener(
  output: Writable,
  client: VisitorClient = createVisitorClient(TEST_BRAND.events),
) {
  const frames: string[] = []
  const events: ServerEvent[] = []
  const closed: number[] = []
  const on: LinkEvents = {
    onFrame(frame) {
      frames.push(frame)
      events.push(...client.take(frame))
      output.write(frame)
    },
    onClosed: code => closed.push(code),
  }
  return { client, frames, events, closed, on }
}

/** The events of a type. */
export const ofType = (events: readonly ServerEvent[], type: string): readonly ServerEvent[] =>
  events.filter(event => event.type === `EVENT_TYPE_${type}`)
