import { once } from 'node:events'
import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { projectIndex } from '@colloquy/core/domain'
import { UNFINISHED_COPY } from '@colloquy/core/store'
import { aConversation, anAppend, aTurn } from '@colloquy/core/testing'
import { type PostgresSchemas, postgresSchemas } from '@colloquy/test-support/postgres'
import { useServer } from '@colloquy/test-support/servers'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadPostgres } from '../src/copy/load-postgres.ts'
import { createProgress } from '../src/copy/progress.ts'
import { admin, temporaryFile } from './support.ts'

// Slow: stores are made, copied and compared, in files and in schemas of PostgreSQL.

/** A file with an account and conversations. */
async function aFile(slug = 'one', ids: readonly string[] = ['AS-1', 'AS-2']): Promise<string> {
  const file = writeEmptyStore(temporaryFile())
  await admin(['--database', file, 'accounts', 'create', '--slug', slug, '--name', slug])
  await begin(file, ids)
  return file
}

async function begin(file: string, ids: readonly string[]): Promise<void> {
  const store = createSqliteStore({ filename: file })
  for (const id of ids) await store.conversations.create(aConversation(id))
  await store.close()
}

/** Goes on in a conversation, as a server does. */
async function writeOn(file: string, id: string): Promise<void> {
  const store = createSqliteStore({ filename: file })
  const first = aConversation(id)
  const append = anAppend(first, 1, { state: { ...first.state, sequence: 2 }, turns: [aTurn('More')] })
  const written = await store.conversations.append({ ...append, index: projectIndex(append.state) })
  expect(written.status).toBe('appended')
  await store.close()
}

const copy = (from: string, to: string, ...more: readonly string[]) =>
  admin(['copy', '--from', from, '--to', to, ...more])

describe('between files', () => {
  test('CL15 a copy tells how far it is, and ends with counts and hashes of both', async () => {
    const [from, to] = [await aFile(), temporaryFile()]
    const copied = await copy(from, to)
    expect(copied).toMatchObject({ code: 0, out: expect.stringMatching(/Both stores hold the same\.$/) })
    expect(copied.out).toMatch(/^what +from +to +hash of from +hash of to +equal$/m)
    expect(copied.out).toMatch(/^conversations +2 +2 +([0-9a-f]{12}) +\1 +yes$/m)
    expect(copied.err).toContain(`Copying ${from} to ${to}.`)
    expect(copied.err).toMatch(/^accounts: 1 copied$/m)
    expect(copied.err).toMatch(/^conversations: 2 copied$/m)
    const compared = await copy(from, to, '--compare', '--json')
    expect(compared.code).toBe(0)
    const { equal, parts } = JSON.parse(compared.out)
    expect(equal).toBe(true)
    expect(parts).toContainEqual({
      ...{ part: 'conversation', equal: true },
      from: { count: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      to: { count: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  test('CL15 what differs costs exit code 1 and is named; the next copy brings it', async () => {
    const [from, to] = [await aFile(), temporaryFile()]
    await copy(from, to)
    await writeOn(from, 'AS-1')
    const differing = await copy(from, to, '--compare')
    expect(differing).toMatchObject({ code: 1, out: expect.stringMatching(/^conversations .* NO$/m) })
    expect(differing.err).toContain('error: The stores differ in conversations. Where a server was writing')
    const again = await copy(from, to)
    expect(again).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^conversations: 1 copied, 1 were the same$/m),
    })
  })

  test('CL17 what cannot be copied is refused in words, and nothing is made', async () => {
    const [file, absent, text] = [await aFile(), temporaryFile(), temporaryFile()]
    writeFileSync(text, 'Dear diary, '.repeat(100))
    const linked = temporaryFile()
    linkSync(file, linked)
    for (const [args, code, message] of [
      [[], 2, 'Name the store with --from <file or postgres://…> (COLLOQUY_COPY_FROM).'],
      [['--from', file], 2, 'Name the store with --to <file or postgres://…> (COLLOQUY_COPY_TO).'],
      [['--from', absent, '--to', file], 1, `--from: there is no file ${absent}.`],
      [['--from', file, '--to', absent, '--compare'], 1, `--to: there is no file ${absent}.`],
      [
        ['--from', file, '--to', linked],
        2,
        `--from and --to name the same store: ${linked}. Name another one.`,
      ],
      [
        ['--from', text, '--to', absent],
        1,
        `--from: The SQLite file ${text} cannot be opened: file is not a`,
      ],
      [['--from', file, '--to', ':memory:'], 2, '--to must name a file, or begin with postgres://.'],
      [['--from', file, '--to', 'mysql://me:secret@x/y'], 2, 'begin with postgres://, not mysql://.'],
      [['--from', file, '--to', 'postgres://me:se#cret@x:y/'], 2, '--to cannot be read as a URL.'],
      [
        ['--from', file, '--to', absent, '--to-schema', 'a'],
        2,
        '--to-schema goes with a store in PostgreSQL',
      ],
    ] as const) {
      const outcome = await admin(['copy', ...args])
      expect(outcome).toMatchObject({ code, out: '', err: expect.stringContaining(message) })
      expect(outcome.err).not.toContain('cret')
    }
    const elsewhere = await admin(['--database', file, 'copy', '--from', file, '--to', absent])
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('copy takes --from and --to') })
    expect(existsSync(absent)).toBe(false)
  })

  test('CL15 what was cut off is refused by every command, and copy goes on with it', async () => {
    const [from, to, elsewhere] = [await aFile(), temporaryFile(), temporaryFile()]
    await copy(from, to)
    const store = createSqliteStore({ filename: to })
    await store.copies.take('secret', [{ name: UNFINISHED_COPY, value: 'yes', version: 1 }])
    await store.close()
    for (const args of [
      ['--database', to, 'accounts', 'list'],
      ['copy', '--from', to, '--to', elsewhere],
      ['copy', '--from', from, '--to', to, '--compare'],
    ])
      expect(await admin(args), args.join(' ')).toMatchObject({
        ...{ out: '', err: expect.stringContaining('a copy into it was cut off') },
      })
    expect(existsSync(elsewhere)).toBe(false)
    expect(await copy(from, to)).toMatchObject({ code: 0 })
    expect(await admin(['--database', to, 'accounts', 'list'])).toMatchObject({ code: 0 })
  })

  test('CL23 a link in the place of --to is not followed', async () => {
    const [from, to, link] = [await aFile(), temporaryFile(), temporaryFile()]
    symlinkSync(to, link)
    expect(await copy(from, link)).toMatchObject({
      code: 1,
      err: `error: --to: ${link} is a link. Name the file that it leads to.`,
    })
    expect(existsSync(to)).toBe(false)
  })

  test('CL17 a target of another store, or one that went on by itself, is refused and left as it is', async () => {
    const [from, to, other] = [await aFile(), temporaryFile(), await aFile('two', ['AS-9'])]
    expect(await copy(from, other)).toMatchObject({
      ...{ code: 1, out: '' },
      err: `error: --to: ${other} holds the data of another store, which a copy would remove. Name an empty one, or one that is a copy of --from.`,
    })
    await copy(from, to)
    await writeOn(to, 'AS-1')
    const before = readFileSync(to)
    expect(await copy(from, to, '--yes')).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringContaining(`--to: ${to} was written to after it was copied: a server has used it.`),
    })
    expect(readFileSync(to).equals(before)).toBe(true)
  })

  test('CL17 a target that another has open is refused', async () => {
    const [from, to] = [await aFile(), temporaryFile()]
    await copy(from, to)
    const store = createSqliteStore({ filename: to })
    onTestFinished(() => store.close())
    expect(await copy(from, to)).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringContaining(`--to: ${to} is in use by another process`),
    })
    expect(await copy(from, to, '--compare')).toMatchObject({ code: 0 })
  })

  test('CL17 conversations of the target alone are removed when that is confirmed', async () => {
    const [from, to] = [await aFile(), temporaryFile()]
    await copy(from, to)
    await begin(to, ['AS-3'])
    expect(await copy(from, to)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: Removing 1 conversations from .* cannot be undone/),
    })
    expect((await copy(from, to, '--compare')).code).toBe(1)
    const done = await admin(['copy', '--from', from, '--to', to], { types: 'remove' })
    expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/^conversations: .* 1 removed$/m) })
  })

  test('PK4 without the adapter for PostgreSQL it is said how to install it', async () => {
    const missing = (name: string) => () => import(name)
    await expect(loadPostgres(missing('@colloquy/adapter-of-nobody'))).rejects.toThrow(
      'npm install @colloquy/adapter-postgres pg',
    )
  })

  test('CL15 a long copy says now and then how far it is', () => {
    const said: string[] = []
    let now = 0
    const { onProgress, end } = createProgress(
      line => said.push(line),
      () => now,
    )
    const counts = { part: 'conversation', same: 0, dropped: 0 } as const
    onProgress({ ...counts, copied: 100 })
    now = 2_500
    onProgress({ ...counts, copied: 12_345 })
    now = 3_000
    onProgress({ ...counts, copied: 13_000 })
    onProgress({ ...counts, part: 'webhook_event', copied: 0 })
    end()
    expect(said).toEqual(['conversations: 12,345 copied so far', 'conversations: 13,000 copied'])
  })
})

describe('with PostgreSQL', async () => {
  const schemas: PostgresSchemas = postgresSchemas(await useServer('postgres'))
  const { url } = schemas
  afterAll(() => schemas.remove())

  test('CL15 a store goes to PostgreSQL, from there to another schema, and back to a file', async () => {
    const [from, back] = [await aFile(), temporaryFile()]
    const [one, two] = [schemas.fresh(), schemas.fresh()]
    expect(await copy(from, url, '--to-schema', one)).toMatchObject({ code: 0 })
    expect(await copy(url, url, '--from-schema', one, '--to-schema', two)).toMatchObject({ code: 0 })
    expect(await copy(url, back, '--from-schema', two)).toMatchObject({ code: 0 })
    expect(await copy(from, back, '--compare')).toMatchObject({ code: 0 })
  })

  test('CL17 schemas that hold no store, a store under two names, and newer ones are refused', async () => {
    const [from, to] = [await aFile(), temporaryFile()]
    const [schema, absent] = [schemas.fresh(), schemas.fresh()]
    await copy(from, url, '--to-schema', schema)
    expect(await copy(url, to, '--from-schema', absent)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`there is no store in the schema ${absent}.`),
    })
    expect(existsSync(to)).toBe(false)
    expect(await copy(url, url, '--from-schema', schema, '--to-schema', schema)).toMatchObject({
      ...{ code: 2, err: expect.stringContaining('--from and --to name the same store') },
    })
    const spelled = new URL(url)
    spelled.host =
      spelled.hostname === 'localhost' ? `127.0.0.1:${spelled.port}` : `LOCALHOST:${spelled.port}`
    const again = ['--from-schema', schema, '--to-schema', schema]
    expect(await copy(url, spelled.href, ...again)).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringMatching(/is in use, by .* It may be the store of --from under another name\.$/),
    })
    await schemas.pool.query(`update "${schema}".schema_version set version = '0123456789ab'`)
    expect(await copy(from, url, '--to-schema', schema)).toMatchObject({
      ...{
        code: 1,
        out: '',
        err: expect.stringContaining(`the schema ${schema} was made by another version of Colloquy.`),
      },
    })
  })

  test('CL17 a password is in nothing that is printed, wrong or right', async () => {
    const from = await aFile()
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      const text = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "me"\0\0'
      const head = Buffer.alloc(5, 'E')
      head.writeInt32BE(text.length + 4, 1)
      socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(text)])))
    })
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const wrong = await copy(from, `postgres://me:geheim@127.0.0.1:${port}/db`)
    expect(wrong).toMatchObject({
      ...{ code: 1, out: '' },
      err: `error: --to: 127.0.0.1:${port}/db: password authentication failed for user "me". Correct the user or the password.`,
    })
    const right = new URL(url)
    right.password = 'geheim'
    const done = await copy(from, right.href, '--to-schema', schemas.fresh())
    expect(done.code).toBe(0)
    expect(done.out + done.err).not.toContain('geheim')
  })
})
