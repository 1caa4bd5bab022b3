import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FilesUnderTest, testFiles } from '@colloquy/core/testing/contracts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFolderFiles } from '../../src/files/index.ts'

/** A folder with nothing in it. */
async function openFolder(): Promise<FilesUnderTest & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return {
    folder,
    files: createFolderFiles({ folder }),
    async stored() {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      const contents = found.filter(one => one.isFile()).map(one => readFile(join(one.parentPath, one.name)))
      return [...found.map(({ name }) => Buffer.from(name)), ...(await Promise.all(contents))]
    },
  }
}

testFiles('folder', { open: openFolder })

const ID = '6f1c1f5e-3f5b-4c0a-9c5e-0d6f0a8f1b11'
const { signal } = new AbortController()
const FILE = { id: ID, type: 'image/png', content: Buffer.from('a picture'), signal }

describe('files in a folder', () => {
  test('FI30 what a crash has left unfinished is not read, and goes with the file', async () => {
    const { files, folder, stored } = await openFolder()
    await files.put(FILE)
    await writeFile(join(folder, ID.slice(0, 2), `${ID}.0a1b.part`), 'half of another pic')
    const chunks = await files.get({ id: ID, signal })
    let read = ''
    for await (const chunk of chunks ?? []) read += Buffer.from(chunk).toString()
    expect(read).toBe('a picture')
    await files.remove({ id: ID, signal })
    expect(Buffer.concat([...(await stored())]).toString()).toBe(ID.slice(0, 2))
  })

  test('FI30 a write that fails leaves nothing', async () => {
    const { files, folder } = await openFolder()
    await writeFile(join(folder, ID.slice(0, 2)), 'in the way')
    await expect(files.put(FILE)).rejects.toThrow(/EEXIST|ENOTDIR/)
    expect(await readdir(folder)).toEqual([ID.slice(0, 2)])
  })

  test('FI30 an id that could lead out of the folder is refused', async () => {
    const { files, folder } = await openFolder()
    for (const id of ['../x', 'a/b', '..', '', 'a\0', 'x'.repeat(101)]) {
      await expect(files.put({ ...FILE, id })).rejects.toThrow('letters, digits and hyphens')
      await expect(files.get({ id, signal })).rejects.toThrow('letters, digits and hyphens')
      await expect(files.remove({ id, signal })).rejects.toThrow('letters, digits and hyphens')
    }
    expect(await readdir(folder)).toEqual([])
    expect(() => createFolderFiles({ folder: '' })).toThrow('folder is empty')
  })

  test('FI30 folders and files are for the user of the server alone', async () => {
    const { files, folder } = await openFolder()
    await files.put(FILE)
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect(await modeOf(join(folder, ID.slice(0, 2)))).toBe(0o700)
    expect(await modeOf(join(folder, ID.slice(0, 2), ID))).toBe(0o600)
  })
})
