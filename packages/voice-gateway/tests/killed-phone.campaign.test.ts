// Slow: servers are processes, which are killed, and the turns that they had begun are taken over in real time.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog, systemClock } from '@colloquy/core'
import { createScriptedRuntime } from '@colloquy/core/testing'
import { createSignal } from '@colloquy/test-support/signal'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { programArguments } from '../../../scripts/programs/program.ts'
import { callTwilio } from './support/phone-caller.ts'
import { BREAKFAST, DOG, msOf } from './support/phone-sentences.ts'

const CHILD = new URL('children/answer-phone.ts', import.meta.url)
const lineSchema = z.union([
  z.object({
    ...{ port: z.number(), connectorToken: z.string() },
    ...{ accountId: z.string().default(''), agentId: z.string().default('') },
  }),
  z.object({ turns: z.number() }),
  z.object({ heard: z.string() }),
])

/** Starts a server over the store of a folder. */
async function startServer(folder: string, connectorToken = '') {
  const child = spawn(process.execPath, [...programArguments(CHILD), folder, connectorToken], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>(resolve => void child.on('close', () => resolve()))
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await gone
  }
  onTestFinished(() => end('SIGKILL'))
  const signal = createSignal()
  const lines: z.output<typeof lineSchema>[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(lineSchema.parse(JSON.parse(line)))
    signal.changed()
  })
  await signal.until(() => lines.length > 0)
  const [ready] = lines
  if (ready === undefined || !('port' in ready)) throw new Error('The server did not begin.')
  /** The ids of the sentences that are kept as heard. */
  const heard = (): ReadonlySet<string> => new Set(lines.flatMap(one => ('heard' in one ? [one.heard] : [])))
  return {
    ...{ ...ready, end, heard },
    /** Resolves when the agent was asked for so many turns. */
    asked: (turns: number) => signal.until(() => lines.some(one => 'turns' in one && one.turns === turns)),
    /** Resolves when so many sentences are kept as heard. */
    kept: (sentences: number) => signal.until(() => heard().size >= sentences),
  }
}

type Caller = ReturnType<typeof callTwilio>
type Server = Awaited<ReturnType<typeof startServer>>

const SAID = `You said ${DOG.words}.`
const SAID_THEN = `You said ${BREAKFAST.words}.`
const THAT_WAS_ALL = 'And that was all of it.'

/** Marks of both sentences of a reply: one after half a second of the first, and one at each end. */
const MARKS = 3

/** When the server goes, in which way, and what is true then. */
const MOMENTS: readonly (readonly [
  string,
  'SIGKILL' | 'SIGTERM',
  (caller: Caller, server: Server) => Promise<void>,
])[] = [
  ['is killed in mid-turn', 'SIGKILL', (_, server) => server.asked(2)],
  [
    'is killed after the reply, of which nothing was heard',
    'SIGKILL',
    caller => caller.until(() => caller.stream().queue.filter(one => 'mark' in one).length >= MARKS),
  ],
  [
    'is killed after the reply, of which the first sentence was heard',
    'SIGKILL',
    async (caller, server) => {
      await caller.hear(SAID)
      caller.keepsMarks()
      await server.kept(2)
    },
  ],
  ['is asked to go in mid-turn', 'SIGTERM', (_, server) => server.asked(2)],
]

test.each(MOMENTS)(
  'VG130 a phone call goes on at another server when its own goes, nobody is greeted again, and the answer is heard once: it %s',
  async (_, way, reach) => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-phone-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startServer(folder)
    const second = await startServer(folder, first.connectorToken)
    let { port } = first
    const caller = callTwilio(() => port)
    await caller.connected(1)
    await caller.hear('Welcome.')
    caller.keepsMarks()
    await first.kept(1)
    caller.say(DOG)
    await reach(caller, first)
    port = second.port
    await first.end(way)
    await caller.connected(2)
    await caller.hear(SAID)
    await caller.hear(THAT_WAS_ALL)
    // It goes on as a call, and says nothing again.
    caller.say(BREAKFAST)
    await caller.hear(SAID_THEN)
    await caller.hear(THAT_WAS_ALL, 2)
    expect(caller.heard().map(({ text }) => text)).toEqual([
      ...['Welcome.', SAID, THAT_WAS_ALL],
      ...[SAID_THEN, THAT_WAS_ALL],
    ])
    for (const sentence of ['Welcome.', SAID, SAID_THEN])
      expect(Math.abs(caller.msHeard(sentence) - msOf(sentence))).toBeLessThan(10)
    caller.hangUp()
    await caller.over
    expect(caller.verbs).toEqual(['Connect', 'Redirect', 'Connect'])
    await second.end('SIGTERM')

    const platform = createPlatform({
      ...{ store: createSqliteStore({ filename: join(folder, 'store.db') }), log: silentLog },
      runtime: createScriptedRuntime({}, systemClock),
    })
    onTestFinished(() => platform.close())
    const { accountId, agentId } = first
    const { records } = await platform.reading.records(
      { accountId, agentId, environment: 'live' },
      { offset: 0 },
      9,
    )
    expect(records).toHaveLength(1)
    const whole = { turns: 0, sequence: 0 }
    const { lines } = await platform.reading.transcript(accountId, agentId, records[0]?.id ?? '', whole)
    expect(lines.map(({ text, what }) => (what === 'said' ? text : what))).toEqual([
      ...['Welcome.', DOG.words, `${SAID} ${THAT_WAS_ALL}`],
      ...[BREAKFAST.words, `${SAID_THEN} ${THAT_WAS_ALL}`, 'ended'],
    ])
  },
)
