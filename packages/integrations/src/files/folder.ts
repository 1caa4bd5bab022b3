import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Files, refuseUnknown } from '@colloquy/core'

/** Options of {@link createFolderFiles}. */
export interface FolderFilesOptions {
  /** The folder. It is made if it is missing, and must be this platform's alone. Never one that a web server serves. */
  readonly folder: string
}

/** Ids of the platform's: nothing else becomes a path. */
const ID = /^[A-Za-z0-9-]{1,100}$/

/** Files of writes in progress. A write that a crash has left is removed when the next one of its id ends. */
const UNFINISHED = '.part'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Stores files in a folder of the server (FI30), below two characters of their ids. A file is written beside
 * its place, flushed to the disk, and then moved there: a crash leaves all of it or nothing that is read. All processes
 * of the platform must see the same folder.
 *
 * @throws TypeError for an empty folder
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createFolderFiles(options: FolderFilesOptions): Files {
  refuseUnknown('createFolderFiles', options, ['folder'])
  const { folder } = options
  if (typeof folder !== 'string' || folder === '')
    throw new TypeError('folder is empty. It must be the path of a folder.')
  const root = resolve(folder)

  function placeOf(id: string): { readonly directory: string; readonly path: string } {
    if (!ID.test(id)) throw new TypeError('The id of a file must be letters, digits and hyphens.')
    const directory = join(root, id.slice(0, 2))
    return { directory, path: join(directory, id) }
  }

  /** Removes what interrupted writes of an id have left. */
  async function sweep(directory: string, id: string): Promise<void> {
    const names = await readdir(directory)
    const left = names.filter(name => name.startsWith(`${id}.`) && name.endsWith(UNFINISHED))
    await Promise.all(left.map(name => rm(join(directory, name), { force: true })))
  }

  return {
    async put({ content, id, signal }) {
      const { directory, path } = placeOf(id)
      signal.throwIfAborted()
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
      try {
        const handle = await open(unfinished, 'wx', 0o600)
        try {
          await handle.writeFile(content, { signal })
          await handle.sync()
        } finally {
          await handle.close()
        }
        signal.throwIfAborted()
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async get({ id, range, signal }) {
      const { path } = placeOf(id)
      signal.throwIfAborted()
      try {
        const handle = await open(path, 'r')
        return handle.createReadStream(range && { start: range.from, end: range.to - 1 })
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async remove({ id, signal }) {
      const { directory, path } = placeOf(id)
      signal.throwIfAborted()
      await rm(path, { force: true })
      try {
        await sweep(directory, id)
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
  }
}
