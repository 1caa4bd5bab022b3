import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { aConversation, START } from '@colloquy/core/testing'
import { describe, expect, test } from 'vitest'
import { admin, storeHostileAccount, temporaryFile } from './support.ts'

/** A file with an account, administered by the tool alone. */
async function withAccount() {
  const file = temporaryFile()
  const place = ['--database', file]
  const made = await admin([
    ...place,
    '--create',
    'accounts',
    'create',
    '--slug',
    'one',
    '--name',
    'One',
    '--id',
    'ws-one',
  ])
  expect(made).toMatchObject({ code: 0, err: '' })
  const json = async (...args: readonly string[]) => {
    const { code, out, err } = await admin([...place, '--json', ...args])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }
  return { file, place, json }
}

/** The same with an agent and its connector. */
async function withConnector() {
  const made = await withAccount()
  const platform = createPlatform({
    store: createSqliteStore({ filename: made.file }),
    runtime: { async *respond() {} },
    workers: false,
  })
  const agent = await platform.agents.create({ accountId: 'ws-one', name: 'One', greeting: 'Hello.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  await platform.access.createConnector({
    ...{ accountId: 'ws-one', agentId: agent.id, environment: 'live', hosts: ['one.example'] },
  })
  await platform.close()
  return made
}

describe('where it works', () => {
  test('CL1 one place is named; options come before the environment', async () => {
    const { file } = await withAccount()
    const list = ['accounts', 'list']
    expect(await admin(list)).toMatchObject({ code: 2, err: expect.stringMatching(/--database .* or --url/) })
    const both = { COLLOQUY_DATABASE: file, COLLOQUY_URL: 'http://127.0.0.1:1' }
    expect(await admin(list, { env: both })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not both/),
    })
    expect(await admin(['--database', file, ...list], { env: both })).toMatchObject({ code: 0 })
    expect(await admin(list, { env: { COLLOQUY_DATABASE: file } })).toMatchObject({ code: 0 })
    expect(await admin(['--url', 'http://127.0.0.1:1', ...list])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/COLLOQUY_OPERATOR_KEY/),
    })
    const key = { COLLOQUY_OPERATOR_KEY: 'key' }
    expect(await admin(['--url', 'http://127.0.0.1:1', ...list], { env: key })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be reached/),
    })
    expect(await admin(['--url', 'ftp://x', ...list], { env: key })).toMatchObject({ code: 2 })
  })

  test('CL6 a file that is not there is not made by accident', async () => {
    const file = temporaryFile()
    expect(await admin(['--database', file, 'accounts', 'list'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/There is no file .*--create/),
    })
    expect(existsSync(file)).toBe(false)
  })

  test('CL4 a file that is no database is named, with what is wrong with it', async () => {
    const file = temporaryFile()
    writeFileSync(file, 'Dear diary, '.repeat(100))
    for (const [place, what] of [
      [file, 'not a database'],
      [dirname(file), 'unable to open'],
    ] as const)
      expect(await admin(['accounts', 'list'], { env: { COLLOQUY_DATABASE: place } })).toEqual({
        ...{ code: 1, out: '' },
        err: expect.stringMatching(`^error: The SQLite file ${place} cannot be opened: .*${what}`),
      })
  })

  test('CL2 what the Operator API has no call for works over a file alone', async () => {
    const { json, place } = await withAccount()
    expect(await json('keys', 'create', '--kind', 'operator')).toMatchObject({
      kind: 'operator',
      accountId: null,
    })
    expect(await json('conversations', 'purge', '--older-than', '90d', '--yes')).toEqual({ removed: 0 })
    expect(await json('audit', 'purge', '--older-than', '2020-01-01', '--yes')).toEqual({ removed: 0 })
    const missing = ['conversations', 'remove', 'one', 'PROJECT-X', 'AS-1', '--yes']
    expect(await admin([...place, ...missing])).toMatchObject({ code: 1, err: expect.stringMatching(/AS-1/) })
    const remote = ['--url', 'http://127.0.0.1:1', '--operator-key', 'key']
    const operator = ['keys', 'create', '--kind', 'operator']
    const visitor = ['visitor', 'export', 'one', '--visitor-id', 'vera']
    for (const line of [missing, visitor, ['audit', 'purge', '--older-than', '1d', '--yes'], operator])
      expect(await admin([...remote, ...line])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/use --database/),
      })
  })

  test('CL2 a visitor of an account is exported as lines of JSON, and removed', async () => {
    const { file, place } = await withAccount()
    const store = createSqliteStore({ filename: file })
    const state = { visitor: { id: 'vera' } }
    for (const [id, finishedAt] of [
      ['C-1', START + 1],
      ['C-2', null],
    ] as const)
      await store.conversations.create(
        aConversation(id, { accountId: 'ws-one', state, index: { finishedAt } }),
      )
    await store.close()
    const of = ['one', '--visitor-id', 'vera']
    const { out } = await admin([...place, 'visitor', 'export', ...of])
    expect(out.split('\n').map(line => JSON.parse(line).type)).toEqual([
      ...['visitor', 'conversation', 'conversation', 'end'],
    ])
    expect(await admin([...place, 'visitor', 'remove', ...of, '--yes'])).toMatchObject({
      out: 'Removed 1 conversations. 1 are in progress: try again later.',
    })
    expect(await admin([...place, 'visitor', 'export', 'one'])).toMatchObject({
      ...{ code: 1, err: expect.stringMatching(/one of visitorId and phoneNumber/) },
    })
  })

  test('over a file the log names the tool and the user of the machine', async () => {
    const { json } = await withAccount()
    const { entries } = await json('audit', 'list')
    expect(entries).toMatchObject([
      {
        action: 'account.created',
        actor: { type: 'library', name: expect.stringMatching(/^colloquy-admin/) },
      },
    ])
  })
})

describe('what it prints', () => {
  test('CL3 a secret is printed once, last, and never listed', async () => {
    const { json, place } = await withAccount()
    const made = await admin([...place, 'keys', 'create', '--kind', 'workspace', '--account', 'one'])
    const secret = /shown this once.*\n(cq_ws_\S+)$/.exec(made.out)?.[1] ?? 'none'
    expect(secret).toMatch(/^cq_ws_/)
    expect(made.out.split(secret)).toHaveLength(2)
    for (const line of [
      ['keys', 'list'],
      ['audit', 'list'],
      ['keys', 'list', '--account', 'one'],
    ]) {
      expect((await admin([...place, ...line])).out).not.toContain(secret)
      expect(JSON.stringify(await json(...line))).not.toContain(secret)
    }
    expect(
      await json('keys', 'create', '--kind', 'desk', '--account', 'one', '--name', 'Desk'),
    ).toMatchObject({
      ...{ kind: 'desk', accountId: 'ws-one', name: 'Desk', key: expect.stringMatching(/^cq_dk_/) },
    })
  })

  test('CL3 a table has a row a line, and other people’s text cannot steer the terminal', async () => {
    const { file, place } = await withAccount()
    const name = 'Evil\u001b[2J\nKEY-fake'
    await storeHostileAccount(file, 'two', name)
    const { out } = await admin([...place, 'accounts', 'list'])
    const lines = out.split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^accountId +slug +name +createdAt$/)
    expect(lines[2]).toContain('Evil?[2J?KEY-fake')
    expect((await admin([...place, 'connectors', 'list'])).out).toBe('None.')
  })

  test('CL4 what is not understood is named with what was meant, and costs exit code 2; a refusal costs 1', async () => {
    const { place } = await withAccount()
    const run = (...args: readonly string[]) => admin([...place, ...args])
    expect(await run('keys', 'creat')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/mean create/),
    })
    expect(await run('keys', 'list', '--acount', 'one')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/unknown option '--acount'[\s\S]*--account/),
    })
    expect(await run('keys', 'create', '--kind', 'king')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/workspace/),
    })
    expect(await run('keys', 'revoke')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/missing required argument/),
    })
    expect(await run('keys', 'revoke', ' ')).toMatchObject({
      code: 2,
      err: 'error: The argument id is empty.',
    })
    expect(await run('connectors', 'update', 'CONNECTOR-1')).toMatchObject({ code: 2 })
    expect(await run('audit', 'list', '--since', 'noon')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/noon/),
    })
    expect(await run('audit', 'list', '--action', 'made')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/api_key.created/),
    })
    const owner = ['--account', 'one', '--agent', 'PROJECT-1', '--environment', 'live', '--host', 'a.example']
    for (const seconds of ['abc', '', ' 5', '1e2', '0x10', '-1', '0', '1.5', '86401'])
      expect(await run('connectors', 'create', ...owner, `--handoff-timeout=${seconds}`)).toEqual({
        ...{ code: 2, out: '' },
        err: `error: option '--handoff-timeout <seconds>' is not valid: expected a whole number from 1 to 86400`,
      })
    expect(await run('audit', 'list', '--limit', '1001', '--action', 'made')).toMatchObject({
      ...{ code: 2, out: '' },
      err: expect.stringMatching(
        /^error: option '--action <action>' is not valid: .*\noption '--limit <count>' is not valid: .* from 1 to 1000$/,
      ),
    })
    expect(await run('connectors', 'show', 'CONNECTOR-1')).toEqual({
      ...{ code: 1, out: '', err: 'error: There is no connector of that id.' },
    })
    expect(await run('keys', 'create', '--kind', 'workspace', '--account', 'none')).toMatchObject({
      code: 1,
      out: '',
    })
    expect(await run('--help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Usage: colloquy-admin/),
    })
  })
})

describe('credentials that end', () => {
  test('a rotation over a file says what it cannot see, and is refused where the environment shows it', async () => {
    const { place, json } = await withAccount()
    expect(await json('token-keys', 'list')).toEqual([])
    const rotate = [...place, '--json', 'token-keys', 'rotate']
    const env = { COLLOQUY_TOKEN_SECRET: 'a-secret-of-the-server' }
    for (const more of [[], ['--revoke-earlier', '--yes']]) {
      const refused = await admin([...rotate, ...more], { env })
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toMatch(/error: COLLOQUY_TOKEN_SECRET is set/)
      expect(refused.err).not.toContain('a-secret')
    }
    expect(await json('token-keys', 'list')).toEqual([])
    const done = await admin(rotate, { env: { COLLOQUY_TOKEN_SECRET: '' } })
    expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/^note: .*COLLOQUY_TOKEN_SECRET.*$/) })
    expect(JSON.parse(done.out)).toEqual(await json('token-keys', 'list'))
    expect(JSON.parse(done.out)).toHaveLength(2)
  })

  test('CL2 context keys are rotated, listed without secrets, and revoked once that is confirmed', async () => {
    const { place, json } = await withConnector()
    const [{ id }] = await json('connectors', 'list')
    const list = () => json('context-keys', 'list', id)
    expect(await list()).toEqual([])
    const first = await json('context-keys', 'rotate', id)
    expect(first).toEqual({
      ...{ kid: expect.stringMatching(/^ctx-/), secret: expect.stringMatching(/.{20}/) },
      ...{ createdAt: expect.any(String), verifiesUntil: null },
    })
    const second = await json('context-keys', 'rotate', id, '--overlap', '60')
    const { secret, ...shown } = second
    const listed = await list()
    expect(listed).toEqual([shown, { ...listed[1], kid: first.kid }])
    expect(Date.parse(listed[1].verifiesUntil) - Date.parse(second.createdAt)).toBe(60_000)
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(await admin([...place, 'context-keys', 'rotate', id, '--overlap', 'a day'])).toMatchObject({
      ...{ code: 2, err: expect.stringMatching(/--overlap/) },
    })
    const printed = await admin([...place, 'context-keys', 'rotate', id])
    expect(printed.out).toMatch(/secret \(shown this once, keep it now\):\n\S+$/)

    const revoke = [...place, 'context-keys', 'revoke', id]
    expect(await admin(revoke, { types: 'no' })).toMatchObject({ code: 1 })
    expect(await list()).toHaveLength(2)
    expect(await admin(revoke, { types: id })).toMatchObject({ code: 0 })
    expect(await list()).toEqual([])
    expect(await admin([...place, 'context-keys', 'rotate', 'CONNECTOR-none'])).toMatchObject({ code: 1 })
  })

  test('a list of more than a page is printed whole', async () => {
    const { file, json } = await withAccount()
    const { access, close } = createPlatform({
      store: createSqliteStore({ filename: file }),
      runtime: { async *respond() {} },
      workers: false,
    })
    for (let number = 0; number < 1_001; number++)
      await access.createApiKey({ kind: 'desk', accountId: 'one', name: String(number) })
    await close()
    const names = (await json('keys', 'list', '--account', 'one')).map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(1_001)
    expect(names).toHaveLength(1_001)
  })

  test('CL11 a key ends when it is told to, in UTC where nothing else is said; lists show it', async () => {
    const { json, place } = await withAccount()
    const create = ['keys', 'create', '--kind', 'desk', '--account', 'one']
    for (const [given, expiresAt] of [
      ['2999-03-01T18:00:00+02:00', '2999-03-01T16:00:00.000Z'],
      ['2999-03-01T18:00', '2999-03-01T18:00:00.000Z'],
      ['2999-03-01', '2999-03-01T00:00:00.000Z'],
    ] as const)
      expect(await json(...create, '--expires-at', given)).toMatchObject({ expiresAt })
    expect(await json(...create)).toMatchObject({ expiresAt: null })
    const [head = '', first = '', , , last = ''] = (await admin([...place, 'keys', 'list'])).out.split('\n')
    expect(head).toMatch(/ createdAt +expiresAt +lastUsedAt +revokedAt$/)
    expect(first).toContain('2999-03-01T16:00:00.000Z')
    expect(last).not.toContain('2999')
  })

  test('CL11 what is no moment is a usage error, one that is over is refused, and nothing is issued', async () => {
    const { json, place } = await withAccount()
    const issue = (at: string) =>
      admin([...place, 'keys', 'create', '--kind', 'desk', '--account', 'one', '--expires-at', at])
    for (const at of ['tomorrow', '30d', 'none', '2999-02-30', '2999-03-01T25:00Z'])
      expect(await issue(at)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(at) })
    expect(await issue('2020-01-01')).toMatchObject({
      ...{ code: 1, out: '', err: expect.stringMatching(/"expiresAt" .*expected a moment after now/) },
    })
    expect(await json('keys', 'list')).toEqual([])
  })
})

describe('what cannot be taken back', () => {
  test('CL4 is confirmed by typing it, or by --yes, and refused where nobody can be asked', async () => {
    const { json, place } = await withAccount()
    const { id } = await json('keys', 'create', '--kind', 'workspace', '--account', 'one')
    const revoke = [...place, 'keys', 'revoke', id]
    const revokedAt = async () => (await json('keys', 'list'))[0].revokedAt
    expect(await admin(revoke)).toMatchObject({ code: 1, err: expect.stringMatching(/Give --yes/) })
    expect(await admin(revoke, { types: 'y' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Nothing was done/),
    })
    expect(await revokedAt()).toBeNull()
    expect(await admin(revoke, { types: id })).toMatchObject({ code: 0, out: `Revoked ${id}.` })
    expect(await revokedAt()).not.toBeNull()
    const visitor = [...place, 'visitor', 'remove', 'one', '--visitor-id', 'vera']
    expect(await admin(visitor)).toMatchObject({ code: 1, out: '' })
    expect(await admin(visitor, { types: 'yes' })).toMatchObject({ code: 1, out: '' })
    expect(await admin(visitor, { types: 'remove' })).toMatchObject({
      code: 0,
      out: 'Removed 0 conversations.',
    })
    const purge = [...place, 'conversations', 'purge', '--older-than', '1d']
    expect(await admin(purge)).toMatchObject({ code: 1, out: '' })
    expect(await admin(purge, { types: 'remove' })).toMatchObject({
      code: 0,
      out: 'Removed 0 conversations.',
    })
    expect(await admin([...purge, '--yes'])).toMatchObject({ code: 0 })
  })
})
