import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PlatformError } from '@colloquy/core'

/** The files of the page by their paths: `index.html`, and `assets/…`, whose names say what is in them. */
export type PageFiles = ReadonlyMap<string, Uint8Array>

/** The folder that the build writes. */
const FOLDER = fileURLToPath(new URL('../dist/page', import.meta.url))

/**
 * Returns the files of the page that come with the package.
 *
 * @throws INTERNAL in a checkout that was not built
 */
export async function readPageFiles(): Promise<PageFiles> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new PlatformError('INTERNAL', 'The page of the console is missing. Build the package.', { cause })
  })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const read = paths.map(
    async path => [relative(FOLDER, path).replaceAll(sep, '/'), await readFile(path)] as const,
  )
  return new Map(await Promise.all(read))
}
