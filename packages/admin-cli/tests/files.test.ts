import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createFolderFiles } from '@colloquy/integrations/files'
import { expect, test } from 'vitest'
import { openExport, readExport } from '../src/export/export-file.ts'
import { PIECE_BYTES } from '../src/export/lines.ts'
import { aFolder, BYTES, filled, IN_FILES, putAll, read, SIZES } from './stored-files.ts'
import { admin, exportTo, importInto, temporaryFile, text } from './support.ts'
import { testBytes } from './test-bytes.ts'

// Slow: stores are made, exported and imported.

testBytes(IN_FILES)

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
  expect(await exportTo(file, from)).toMatchObject({
    code: 0,
    err: expect.stringContaining('name --files.'),
  })
  expect(text(file)).not.toContain('file_bytes')
})
