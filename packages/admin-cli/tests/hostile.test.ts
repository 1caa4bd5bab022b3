import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { table } from '../src/terminal.ts'
import { admin, storeHostileAccount, temporaryFile } from './support.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const EVIL = 'Evil\u001b[2J\u009b31m\u007f\u2028\u202egnp.exe\u2066'

/** A server that answers everything so, and remembers the keys that it was shown. */
async function serve(status: number, body: unknown) {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(status).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { keys, url: `http://127.0.0.1:${address.port}` }
}

test('CL3 JSON says the same and steers nothing', async () => {
  const file = temporaryFile()
  const place = ['--database', file, '--create']
  const made = await admin([...place, '--json', 'accounts', 'create', '--slug', 'one', '--name', EVIL])
  expect([made.code, made.out]).toEqual([1, ''])
  expect(made.err).not.toMatch(STEERING)
  await admin([...place, 'accounts', 'create', '--slug', 'one', '--name', 'One'])
  await storeHostileAccount(file, 'two', EVIL)
  const listed = await admin([...place, '--json', 'accounts', 'list'])
  expect(listed.out).not.toMatch(STEERING)
  expect(JSON.parse(listed.out)).toMatchObject([{ name: 'One' }, { name: EVIL }])
  const shown = await admin([...place, 'accounts', 'list'])
  expect(shown.out).not.toMatch(STEERING)
  expect(shown.out).toContain('gnp.exe')
})

test('CL3 neither does a server, in whatever place it tries', async () => {
  const env = { COLLOQUY_OPERATOR_KEY: 'cq_op_0123456789abcdef' }
  const refused = await serve(400, { error_message: EVIL })
  const outcome = await admin(['--url', refused.url, 'accounts', 'list'], { env })
  expect(outcome).toMatchObject({ code: 1, err: expect.stringContaining('Evil?[2J') })
  expect(outcome.err).not.toMatch(STEERING)
  const made = await serve(201, { [EVIL]: EVIL, key: EVIL })
  const key = await admin(['--url', made.url, 'keys', 'create', '--kind', 'desk'], { env })
  expect(key).toMatchObject({ code: 0, out: expect.stringContaining('Evil?[2J') })
  expect(key.out).not.toMatch(STEERING)
  const page = await serve(200, { entries: [], next_cursor: EVIL })
  const log = await admin(['--url', page.url, 'audit', 'list'], { env })
  expect(log).toMatchObject({ code: 0, out: expect.stringContaining('--cursor Evil?[2J') })
  expect(log.out).not.toMatch(STEERING)
})

test('CL3 CR20 a key that no header could carry is refused without being shown', async () => {
  const { url, keys } = await serve(200, { accounts: [], next_cursor: null })
  for (const key of ['geheim-key…', 'geheim-key\r\nX-Evil: 1', 'geheim key', 'geheim\u0000key']) {
    const env = { COLLOQUY_OPERATOR_KEY: key }
    const { code, err, out } = await admin(['--url', url, 'accounts', 'list'], { env })
    expect([code, out]).toEqual([2, ''])
    expect(err).not.toContain('geheim')
    expect(err).toContain('COLLOQUY_OPERATOR_KEY')
  }
  expect(keys).toEqual([])
  const env = { COLLOQUY_OPERATOR_KEY: ' cq_op_0123456789abcdef\r\n', COLLOQUY_DATABASE: '' }
  expect(await admin(['--url', url, 'accounts', 'list'], { env })).toMatchObject({ code: 0, out: 'None.' })
  expect(await admin(['accounts', 'list'], { env: { ...env, COLLOQUY_URL: url } })).toMatchObject({ code: 0 })
  expect(keys).toEqual(Array(2).fill('Bearer cq_op_0123456789abcdef'))
})

test('a table of very many rows is a table', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => ({ id: `KEY-${at}` }))
  expect(table(rows, ['id']).split('\n')).toHaveLength(200_001)
})

test('whoever reads may stop reading', async () => {
  const tool = spawn(process.execPath, [...programAt('packages/admin-cli/src/main.ts'), '--help'])
  tool.stdout.destroy()
  let said = ''
  tool.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [code] = await once(tool, 'close')
  expect([code, said]).toEqual([0, ''])
})

test('CL11 a day that no calendar has purges nothing', async () => {
  const place = ['--database', temporaryFile(), '--create']
  for (const moment of ['2026-02-31', '2026-01-01 (or so)', '2026', '1w', '-1d'])
    expect(await admin([...place, 'audit', 'purge', `--older-than=${moment}`, '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${moment} is not a moment`),
    })
  await admin([...place, 'accounts', 'create', '--slug', 'one', '--name', 'One'])
  const purge = (moment: string) => admin([...place, 'audit', 'purge', '--older-than', moment, '--yes'])
  expect(await purge('2020-01-01T00:00+02:00')).toMatchObject({ out: 'Removed 0 entries.' })
  expect((await purge('0h')).out).toMatch(/^Removed [1-9]/)
})

test('over HTTP the pages follow each other to the last one', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(url.searchParams.get('cursor') ?? 'first')
    const answers: Readonly<Record<string, object>> = {
      first: { accounts: [{ accountId: 'one' }, { accountId: 'two' }], next_cursor: 'behind-two' },
      'behind-two': { accounts: [{ accountId: 'three' }], next_cursor: 'behind-three' },
      'behind-three': { accounts: [], next_cursor: 'behind-three' },
    }
    response.end(JSON.stringify(answers[asked.at(-1) ?? '']))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const place = ['--url', `http://127.0.0.1:${address.port}`, '--json']
  const env = { COLLOQUY_OPERATOR_KEY: 'cq_op_0123456789abcdef' }
  const accounts = await admin([...place, 'accounts', 'list'], { env })
  expect(JSON.parse(accounts.out)).toEqual([
    { accountId: 'one' },
    { accountId: 'two' },
    { accountId: 'three' },
  ])
  expect(asked).toEqual(['first', 'behind-two', 'behind-three'])
})
