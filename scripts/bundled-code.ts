import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The file in `dist` that holds the licenses of the code of others that is part of it. */
export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt'

/**
 * Packages of others whose code becomes part of a build, by the name of the package that is built. Each needs a reason,
 * with figures, in decisions/bundled-code.md.
 */
export const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@colloquy/core': ['date-fns'],
}

/** Packages of others whose code becomes part of files for browsers, by the name of the package that has the files. */
export const BUNDLED_IN_PAGES = {
  '@colloquy/console': ['@preact/signals', '@preact/signals-core', 'diff', 'preact', 'uplot'],
  '@colloquy/widget': [],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * Returns the licenses of all packages of others of which files are part of a bundle, or null if there are none.
 *
 * @param inputs the files, by their paths from a folder
 * @throws Error for a package without a license
 */
export function licensesOf(inputs: readonly string[], folder: string): string | null {
  const folders = inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map(one => licenseOf(resolve(folder, one)))
  return texts.length === 0 ? null : texts.join('\n')
}

/** The license of an installed package, below its name and version. */
export function licenseOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name))
  if (file === undefined)
    throw new Error(`${name} has no file with its license, so its code cannot be bundled.`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n`
}
