import { rmSync, truncateSync } from 'node:fs'
import { ACCOUNT, AGENT } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'
import { startS3Server } from '@colloquy/test-support/s3-server'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, BYTES, filled, hashOf, read, SIZES, type Stores } from './stored-files.ts'
import { admin, exportTo, importInto, temporaryFile, text } from './support.ts'

/** Tests of the commands that carry the bytes of files, over stores of one kind. */
export function testBytes(stores: Stores): void {
  test('CL238 an export has the bytes of files, an import stores them, and both are compared', async () => {
    const { from, folder } = await filled(stores)
    const [file, target, to] = [temporaryFile(), await stores.fresh(), aFolder()]
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

  test('CL238 bytes go into a bucket, and come from one', async () => {
    const keys = { id: { secret: 'a secret of a bucket' } }
    const server = await startS3Server('hotel-files', keys, 'us-east-1')
    onTestFinished(() => server.close())
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: keys.id.secret }
    const { from, folder } = await filled(stores)
    const [file, back] = [temporaryFile(), temporaryFile()]
    const [target, second] = [await stores.fresh(), await stores.fresh()]
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
    const { from, folder } = await filled(stores)
    const [file, target, to] = [temporaryFile(), await stores.fresh(), aFolder()]
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
    const { from, folder } = await filled(stores)
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
}
