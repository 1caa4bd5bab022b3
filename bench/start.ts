import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildWhatIsOld } from '../scripts/build.ts'
import { REPOSITORY } from '../scripts/workspace-packages.ts'
import { fillWithRecords, fillWithSleepers } from './start-files.ts'
import { type Result, resultOf } from './table/result.ts'
import { withFolder } from './with-folder.ts'

/** Number of starts of the host, and sizes of its files. */
export interface StartOptions {
  /** Rounds over all variants in turn. @default 7 */
  readonly rounds?: number
  /** Size of the large file. @default 1000000000 */
  readonly bytes?: number
  /** Conversations that wait for a timer. @default 100000 */
  readonly sleeping?: number
}

/** A program to start, and its file. */
interface Variant {
  readonly name: string
  readonly program: string
  /** Null for a file that is new each time. */
  readonly filename: string | null
}

const ROWS = ['listening', 'first answer', 'CPU until then'] as const

/** Times of one start, milliseconds. */
type Times = Readonly<Record<(typeof ROWS)[number], number>>

const LISTEN = `server.listen(Number(process.env.PORT), () => console.log('Listening:', server.address()))`
const ANSWER = `const server = createServer((request, response) => response.end('{}'))`
const OPEN = `
import Database from 'better-sqlite3'
const database = new Database(process.env.DATABASE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE IF NOT EXISTS one (id INTEGER PRIMARY KEY, text TEXT) STRICT')
`

/** Programs with the minimum that every server needs, each with more than the one before. */
const LIMITS: Readonly<Record<string, string>> = {
  'node:http alone': `import { createServer } from 'node:http'\n${ANSWER}\n${LISTEN}`,
  'http, ws and better-sqlite3, by hand': `
    import { createServer } from 'node:http'
    import { WebSocketServer } from 'ws'
    ${OPEN}
    ${ANSWER}
    new WebSocketServer({ server })
    ${LISTEN}`,
  'the same in Express': `
    import { createServer } from 'node:http'
    import express from 'express'
    import { WebSocketServer } from 'ws'
    ${OPEN}
    const server = createServer(express().use((request, response) => response.end('{}')))
    new WebSocketServer({ server })
    ${LISTEN}`,
}

/** Tells, when it is to end, what CPU the process took, microseconds. */
const TELL_CPU = `
process.once('SIGTERM', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write('CPU ' + (user + system) + '\\n', () => process.exit())
})`

/** A program that is started, once it listens. */
interface Started {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
  readonly port: number
  /** The token that the host prints when it starts for the first time. */
  readonly token: string | null
}

async function start(program: string, filename: string): Promise<Started> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE: filename, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let token: string | null = null
  for (;;) {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`${program} ended before it listened.`)
    token = /^Connector token: (\S+)/.exec(value)?.[1] ?? token
    const port = /port: (\d+)/.exec(value)?.[1]
    if (port !== undefined) return { child, lines, port: Number(port), token }
  }
}

/** Ends the program; the CPU that it took, milliseconds. */
async function end({ child, lines }: Started): Promise<number> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const { value } = await lines.next()
  await ended
  return Number(/^CPU (\d+)/.exec(String(value))?.[1]) / 1_000
}

/** Asks for an access token, as the first request of a visitor's page does. */
async function ask(port: number, token: string): Promise<void> {
  const asked = request({
    port,
    method: 'POST',
    path: '/api/v1/access-token',
    headers: { 'content-type': 'application/json', 'x-token': token, 'x-host': 'localhost' },
  }).end('{}')
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`The first answer has status ${response.statusCode}.`)
}

/** One start of a variant; `tokens` keeps the connector token of each file from one start to the next. */
async function measureOne(variant: Variant, tokens: Map<string, string>): Promise<Times> {
  let times: Times | undefined
  await withFolder(async folder => {
    const filename = variant.filename ?? join(folder, 'new.db')
    const began = performance.now()
    const started = await start(variant.program, filename)
    const listening = performance.now() - began
    if (started.token !== null) tokens.set(filename, started.token)
    await ask(started.port, tokens.get(filename) ?? '')
    const answered = performance.now() - began
    times = { listening, 'first answer': answered, 'CPU until then': await end(started) }
  })
  if (times === undefined) throw new Error(`${variant.name} was not measured.`)
  return times
}

/** Writes the programs where they find the built packages and their peers. */
async function writePrograms(folder: string): Promise<Readonly<Record<string, string>>> {
  const source = await readFile(join(REPOSITORY, 'e2e/src/embed.ts'), 'utf8')
  const code = stripTypeScriptTypes(source)
  const texts = Object.entries({ ...LIMITS, host: code })
  const written = texts.map(async ([name, text], index) => {
    const file = join(folder, `program-${index}.mjs`)
    await writeFile(file, text + TELL_CPU)
    return [name, file] as const
  })
  return Object.fromEntries(await Promise.all(written))
}

/** The files on which the host is started again, each with what it is called. */
async function writeFiles(folder: string, host: string, options: StartOptions, tokens: Map<string, string>) {
  const { bytes = 1_000_000_000, sleeping = 100_000 } = options
  const fills: readonly (readonly [string, (filename: string) => Promise<void>])[] = [
    ['with nothing in its file', async () => {}],
    [`with ${bytes / 1e9} GB in its file`, filename => fillWithRecords(filename, bytes)],
    [
      `with ${sleeping.toLocaleString('en-GB')} sleeping conversations`,
      filename => fillWithSleepers(filename, sleeping),
    ],
  ]
  const variants: Variant[] = []
  for (const [index, [name, fill]] of fills.entries()) {
    const filename = join(folder, `file-${index}.db`)
    await measureOne({ name, program: host, filename }, tokens)
    await fill(filename)
    variants.push({ name: `the host of the README, ${name}`, program: host, filename })
  }
  return variants
}

/**
 * Starts the host of the README from the built packages, and servers by hand as its limits, each in a process of its
 * own, in turn: until it listens, until its first answer, and the CPU until then.
 */
export async function measureStart(options: StartOptions = {}): Promise<readonly Result[]> {
  const { rounds = 7 } = options
  await buildWhatIsOld()
  const cache = join(REPOSITORY, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const programs = await mkdtemp(join(cache, 'colloquy-start-'))
  const found = new Map<Variant, Times[]>()
  const tokens = new Map<string, string>()
  try {
    await withFolder(async folder => {
      const { host = '', ...limits } = await writePrograms(programs)
      const byHand = Object.entries(limits).map(([name, program]) => ({ name, program, filename: null }))
      const first = { name: 'the host of the README, for the first time', program: host, filename: null }
      const variants = [...byHand, first, ...(await writeFiles(folder, host, options, tokens))]
      for (const variant of variants) found.set(variant, [])
      for (let round = 0; round < rounds; round++) {
        for (const [variant, times] of found) times.push(await measureOne(variant, tokens))
      }
    })
  } finally {
    await rm(programs, { recursive: true, force: true })
  }
  return ROWS.flatMap(row =>
    [...found].map(([{ name }, times]) =>
      resultOf(
        { row, variant: name, unit: 'ms' },
        times.map(one => one[row]),
      ),
    ),
  )
}
