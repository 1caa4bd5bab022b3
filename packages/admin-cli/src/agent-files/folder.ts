import { constants } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { FILES, FOLDER_KINDS, FOLDERS, LOCK_FILE } from './layout.ts'
import type { Files } from './parse.ts'
import type { AgentFile } from './render.ts'

/** Limits of a folder: bytes of a file, and files. */
const LIMITS = { fileBytes: 4 * 1024 * 1024, files: 100_000 }

/** A folder as it was read. */
export interface Folder {
  readonly dir: string
  readonly files: Files
  /** The text of the lock file; null without one. */
  readonly lock: string | null
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Returns null if nothing is. */
const statsOf = (full: string) =>
  lstat(full).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

/**
 * Checks the folder and each folder on the way to a path below it, so that no link leads elsewhere (CL23).
 * @throws Failure
 */
async function requireOwnFolders(dir: string, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1)
  for (let depth = 0; depth <= names.length; depth++) {
    const below = names.slice(0, depth).join('/')
    const found = await statsOf(join(resolve(dir), below))
    if (found === null) return
    if (found.isDirectory()) continue
    throw new Failure(`${below === '' ? dir : below} is not a folder; links are not followed.`)
  }
}

/** Returns null if no file is. @throws Failure for a link and for anything else that is no file */
async function fileAt(dir: string, path: string) {
  await requireOwnFolders(dir, path)
  const found = await statsOf(join(dir, path))
  if (found === null || found.isFile()) return found
  throw new Failure(`${path} is not a file; links and folders are not followed.`)
}

/** Should a link take the file's place after it was looked at, the open fails. Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

async function readText(dir: string, path: string): Promise<string | null> {
  const found = await fileAt(dir, path)
  if (found === null) return null
  if (found.size > LIMITS.fileBytes)
    throw new Failure(`${path} has ${found.size} bytes; at most ${LIMITS.fileBytes} are allowed.`)
  const bytes = await readFile(join(dir, path), { flag: READ })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure(`${path} is not UTF-8.`)
  }
}

async function pathsIn(dir: string, folder: string): Promise<readonly string[]> {
  await requireOwnFolders(dir, `${folder}/`)
  try {
    const names = await readdir(join(dir, folder))
    // Hidden files are those of file managers and editors.
    return names.filter(name => !name.startsWith('.')).map(name => `${folder}/${name}`)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Reads the files that an agent's folder may hold, and no others. @throws Failure */
export async function readFolder(dir: string): Promise<Folder> {
  const inFolders = await Promise.all(FOLDER_KINDS.map(kind => pathsIn(dir, FOLDERS[kind].folder)))
  const paths = [...Object.values(FILES), ...inFolders.flat()]
  if (paths.length > LIMITS.files)
    throw new Failure(`${dir} holds ${paths.length} files; at most ${LIMITS.files} are allowed.`)
  const files = new Map<string, string>()
  for (const path of paths) {
    const text = await readText(dir, path)
    if (text !== null) files.set(path, text)
  }
  return { dir, files, lock: await readText(dir, LOCK_FILE) }
}

/** Writes a file whole or not at all. */
async function write(dir: string, path: string, text: string): Promise<void> {
  await fileAt(dir, path)
  const full = join(dir, path)
  await mkdir(dirname(full), { recursive: true })
  const draft = join(dirname(full), `.${process.pid}.colloquy-draft`)
  // Writing to a link of that name would follow it.
  await rm(draft, { force: true })
  await writeFile(draft, text, { flag: 'wx' })
  await rename(draft, full)
}

/**
 * Makes the folder hold these files. The lock comes last: what is interrupted before is compared with the old one
 * again.
 */
export async function writeFolder(folder: Folder, files: readonly AgentFile[], lock: string): Promise<void> {
  const remove = async (path: string): Promise<void> => {
    await fileAt(folder.dir, path)
    await rm(join(folder.dir, path), { force: true })
  }
  const wanted = new Set(files.map(({ path }) => path))
  const folded = new Set(files.map(({ path }) => path.toLowerCase()))
  const gone = [...folder.files.keys()].filter(path => !wanted.has(path))
  // On a file system that ignores case, removing the old name later would remove the file under its new name.
  for (const path of gone) if (folded.has(path.toLowerCase())) await remove(path)
  for (const { path, text } of files) {
    // Git may have checked a file out with CRLF: one that says the same stays as it is.
    if (folder.files.get(path)?.replace(/\r\n/g, '\n') !== text) await write(folder.dir, path, text)
  }
  for (const path of gone) if (!folded.has(path.toLowerCase())) await remove(path)
  if (folder.lock?.replace(/\r\n/g, '\n') !== lock) await write(folder.dir, LOCK_FILE, lock)
}
