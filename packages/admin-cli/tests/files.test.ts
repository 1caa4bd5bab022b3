import { createHash } from 'node:crypto'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { Files } from '@colloquy/core'
import type { CopyableStore } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, aFile, anAccount, anEvent, START } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'
import { startS3Server } from '@colloquy/test-support/s3-server'
import { expect, onTestFinished, test } from 'vitest'
import { openExport, readExport } from '../src/export/export-file.ts'
import { PIECE_BYTES } from '../src/export/lines.ts'
import { admin, aStore, exportTo, importInto, temporaryFile, text } from './support.ts'

// Slow: stores are made, exported and imported.

/** Files of a conversation by their ids: short, of one piece exactly, and longer. */
const SIZES = { 'f-short': 3, 'f-even': PIECE_BYTES, 'f-long': 2 * PIECE_BYTES + 5, 'f-gone': 7 }

const contentOf = (id: string, size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + id.length + (at >> 9)) % 256))

const SENT = Object.entries(SIZES).map(([id, size]) => ({
  ...{ file_id: id, name: `${id}.png`, content_type: 'image/png', size },
}))

/** Bytes behind the port: those of files, and of the parts of a recording. */
const BYTES: ReadonlyMap<string, Buffer> = new Map([
  ...Object.entries(SIZES)
    .filter(([id]) => id !== 'f-gone')
    .map(([id, size]) => [id, contentOf(id, size)] as const),
  ...['f-r-r1', 'f-r-r2'].map((id, at) => [id, contentOf(id, 40 - 8 * at)] as const),
])

async function fill({ access, conversations }: CopyableStore): Promise<void> {
  const { files, recordings } = conversations
  await access.accounts.create(anAccount(ACCOUNT))
  const of = { conversationId: 'AS-1' } as const
  await conversations.create(
    aConversation('AS-1', {
      ...{ index: { finishedAt: START + 1 } },
      state: { visitor: { id: 'vera' }, endedAt: START + 1 },
      events: [anEvent({ payload: { message_id: 'm', text: 'Look', files: SENT } })],
    }),
  )
  for (const [id, size] of Object.entries(SIZES)) {
    await files.expect(id, START)
    await files.add(aFile(id, { ...of, size }), { files: 99, bytes: 10_000_000 })
    await files.name('AS-1', 'visitor', [id])
  }
  const recording = { id: 'f-r', ...of, accountId: ACCOUNT, call: 'call', at: START }
  const consent = { by: 'visitor', how: 'button', at: START } as const
  const none = { parts: 0, partBytes: 0, bytes: 0, end: null, endedAt: null }
  expect(await recordings.begin({ ...recording, consent, ...none }, 9)).toBe('begun')
  for (const [at, part] of ['f-r-r1', 'f-r-r2'].entries()) {
    await files.expect(part, START)
    expect(await recordings.keep('f-r', at + 1, 40 - 8 * at)).toBe(true)
  }
}

const { signal } = new AbortController()

async function putAll(files: Files): Promise<void> {
  for (const [id, content] of BYTES) await files.put({ id, type: 'image/png', content, signal })
}

async function read(files: Files, id: string): Promise<Buffer | null> {
  const chunks = await files.get({ id, signal })
  if (chunks === null) return null
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const hashOf = (content: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(content).digest('hex')

/** A folder that goes with the test. */
const aFolder = (): string => `${temporaryFile()}-files`

/** A store of a conversation with files, and the folder of their bytes. */
async function filled() {
  const folder = aFolder()
  await putAll(createFolderFiles({ folder }))
  return { from: await aStore(fill), folder }
}

test('CL238 an export has the bytes of files, an import stores them, and both are compared', async () => {
  const { from, folder } = await filled()
  const [file, target, to] = [temporaryFile(), temporaryFile(), aFolder()]
  const out = await exportTo(file, from, '--files', folder)
  expect(out).toMatchObject({ code: 0, out: expect.stringMatching(/^bytes of files +3 +3 .* yes/m) })
  expect(out.out).toMatch(/^bytes of recordings +2 +2 .* yes/m)
  const imported = await importInto(target, file, '--files', to)
  expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^bytes of files +3 +3 .* yes/m) })
  expect(imported.err).toMatch(/^bytes of files: 3 copied$/m)
  const stored = createFolderFiles({ folder: to })
  for (const [id, content] of BYTES) expect((await read(stored, id))?.equals(content), id).toBe(true)
  expect(await read(stored, 'f-gone')).toBeNull()
  // Again, and after some were lost or cut off, only these are written.
  rmSync(`${to}/f-/f-long`)
  truncateSync(`${to}/f-/f-even`, 9)
  const compared = await importInto(target, file, '--files', to, '--compare')
  expect(compared).toMatchObject({ code: 1, err: expect.stringContaining('differ in bytes of files.') })
  const again = await importInto(target, file, '--files', to)
  expect(again).toMatchObject({ code: 0 })
  expect(again.err).toMatch(/^bytes of files: 2 copied, 1 were the same$/m)
  for (const [id, content] of BYTES) expect((await read(stored, id))?.equals(content), id).toBe(true)
})

test('CL238 an import of bytes needs a place for them, and writes nothing without', async () => {
  const { from, folder } = await filled()
  const [file, target] = [temporaryFile(), temporaryFile()]
  await exportTo(file, from, '--files', folder)
  expect(await importInto(target, file)).toMatchObject({
    ...{ code: 1, out: '' },
    err: expect.stringContaining('has the bytes of files. Say with --files where they go'),
  })
  expect(() => readFileSync(target)).toThrow('ENOENT')
  // The server's own variable names it too.
  const env = { COLLOQUY_FILES: aFolder() }
  expect(await admin(['import', file, '--to', target], { env })).toMatchObject({ code: 0 })
  expect((await read(createFolderFiles({ folder: env.COLLOQUY_FILES }), 'f-short'))?.length).toBe(3)
})

test('CY30 an export with bytes goes on after its last whole line, wherever it was cut off', async () => {
  const { from, folder } = await filled()
  const [whole, cut] = [temporaryFile(), temporaryFile()]
  await exportTo(whole, from, '--files', folder)
  const lines = text(whole).split('\n')
  const first = lines.findIndex(line => line.startsWith('{"kind":"file_bytes"'))
  expect(lines.length - first).toBe(1 + 1 + 3 + 2 + 2)
  for (let kept = first - 1; kept < lines.length - 1; kept++) {
    writeFileSync(cut, `${lines.slice(0, kept).join('\n')}\n${lines[kept]?.slice(0, 40)}`)
    if (kept > first) {
      const without = await exportTo(cut, from)
      expect(without).toMatchObject({ code: 1, err: expect.stringContaining('Name --files again') })
    }
    expect(await exportTo(cut, from, '--files', folder), `cut in line ${kept}`).toMatchObject({ code: 0 })
    expect(text(cut) === text(whole), `cut in line ${kept}`).toBe(true)
  }
  const handle = await openExport(whole, 'read')
  expect((await readExport(handle, whole)).isWhole).toBe(true)
  await handle.close()
})

test('CL238 a file that is cut off behind the port is no part of an export', async () => {
  const { from, folder } = await filled()
  truncateSync(`${folder}/f-/f-long`, PIECE_BYTES + 1)
  const file = temporaryFile()
  expect(await exportTo(file, from, '--files', folder)).toMatchObject({
    ...{
      code: 1,
      err: expect.stringContaining(`f-long has ${PIECE_BYTES + 1} bytes, not the ${SIZES['f-long']}`),
    },
  })
  // Where it is whole again, the same command goes on.
  await putAll(createFolderFiles({ folder }))
  expect(await exportTo(file, from, '--files', folder)).toMatchObject({ code: 0 })
  const to = aFolder()
  expect(await importInto(temporaryFile(), file, '--files', to)).toMatchObject({ code: 0 })
  const stored = await read(createFolderFiles({ folder: to }), 'f-long')
  expect(stored?.equals(BYTES.get('f-long') ?? Buffer.alloc(0))).toBe(true)
})

test('CL238 without --files an export has the names of files, and says so', async () => {
  const { from } = await filled()
  const file = temporaryFile()
  expect(await exportTo(file, from)).toMatchObject({ code: 0, err: expect.stringContaining('name --files.') })
  expect(text(file)).not.toContain('file_bytes')
})

test('CL238 bytes go into a bucket, and come from one', async () => {
  const keys = { id: { secret: 'a secret of a bucket' } }
  const server = await startS3Server('hotel-files', keys, 'us-east-1')
  onTestFinished(() => server.close())
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: keys.id.secret }
  const { from, folder } = await filled()
  const [file, target, back, second] = [temporaryFile(), temporaryFile(), temporaryFile(), temporaryFile()]
  await exportTo(file, from, '--files', folder)
  const bucket = `${server.url}/hotel-files/kept`
  const run = (...args: readonly string[]) => admin(args, { env })
  expect(await run('import', file, '--to', target, '--files', bucket)).toMatchObject({ code: 0 })
  expect(server.objects.size).toBe(BYTES.size)
  for (const { content } of server.objects.values())
    expect([...BYTES.values()].some(bytes => bytes.equals(content))).toBe(true)
  expect(await run('export', back, '--from', target, '--files', bucket)).toMatchObject({ code: 0 })
  expect(text(back)).toBe(text(file))
  const moved = ['--from-files', bucket, '--to-files', aFolder()]
  const copied = await run('copy', '--from', target, '--to', second, ...moved)
  expect(copied).toMatchObject({ code: 0, out: expect.stringMatching(/^bytes of files +3 +3 .* yes/m) })
  for (const [wrong, message] of [
    [['export', temporaryFile(), '--from', target, '--files', ''], '--files is empty'],
    [['copy', '--from', target, '--to', temporaryFile(), '--to-files', bucket], 'go together'],
    [['export', temporaryFile(), '--from', target, '--files', 'http://files.example/b'], 'must be https'],
  ] as const) {
    const refused = await run(...wrong)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(refused.err).not.toContain(keys.id.secret)
  }
  expect(await admin(['export', temporaryFile(), '--from', target, '--files', bucket])).toMatchObject({
    ...{ code: 2, err: expect.stringContaining('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.') },
  })
})

test('CL238 an import removes the bytes of conversations that it removes', async () => {
  const { from, folder } = await filled()
  const [file, target, to] = [temporaryFile(), temporaryFile(), aFolder()]
  await exportTo(file, from, '--files', folder)
  await importInto(target, file, '--files', to)
  const remove = ['--database', from, 'conversations', 'remove', ACCOUNT, AGENT, 'AS-1', '--yes']
  expect(await admin(remove)).toMatchObject({ code: 0 })
  const [later, files] = [temporaryFile(), createFolderFiles({ folder: to })]
  await exportTo(later, from, '--files', folder)
  expect(await importInto(target, later, '--files', to, '--yes')).toMatchObject({ code: 0 })
  for (const id of BYTES.keys()) expect(await read(files, id), id).toBeNull()
})

test('RC601 the export of a visitor has the bytes of files where --files says where they are', async () => {
  const { from, folder } = await filled()
  const run = (...more: readonly string[]) =>
    admin(['--database', from, ...more, 'visitor', 'export', ACCOUNT, '--visitor-id', 'vera'])
  const hashes = async (...more: readonly string[]) => {
    const { code, out } = await run(...more)
    expect(code).toBe(0)
    const lines = out.split('\n').map(line => JSON.parse(line))
    return lines.filter(({ type }) => type === 'file').map(({ sha256 }) => sha256)
  }
  const all = await hashes('--files', folder)
  const ids = Object.keys(SIZES)
  expect(all).toEqual(ids.map(id => (BYTES.has(id) ? hashOf(BYTES.get(id)) : null)))
  expect(await hashes()).toEqual(ids.map(() => null))
})
