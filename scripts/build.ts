import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { bundlePackage } from './bundle-package.ts'
import { writeDeclarations } from './declarations.ts'
import { exportedModules, REPOSITORY, workspacePackages } from './workspace-packages.ts'

/**
 * Builds these published packages into their `dist`.
 * @throws Error with what was printed, if one of them cannot be built
 */
export async function buildPackages(packages = workspacePackages()): Promise<void> {
  for (const one of packages) await bundlePackage(one)
  await writeDeclarations(packages)
}

/** Returns the time of the last write to any file of a folder. */
const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      name => statSync(join(folder, name)).mtimeMs,
    ),
  )

/** Whether each package has a build that is younger than its sources. */
const areBuilt = (): boolean =>
  workspacePackages().every(({ folder, manifest }) => {
    const files = exportedModules(manifest).map(([, target]) => join(folder, target.default))
    return files.every(file => existsSync(file) && statSync(file).mtimeMs > newest(join(folder, 'src')))
  })

/** There while a process builds. */
const LOCK = join(REPOSITORY, 'node_modules/.cache/colloquy-build')

/** Longer than any build takes, milliseconds: a process that was killed leaves its lock. */
const STALE = 900_000

/** Resolves with true once this process may build, and with false while another one does. */
async function lock(): Promise<boolean> {
  try {
    await mkdir(join(REPOSITORY, 'node_modules/.cache'), { recursive: true })
    await mkdir(LOCK)
    return true
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw error
    const since = existsSync(LOCK) ? statSync(LOCK).mtimeMs : Date.now()
    if (Date.now() - since > STALE) await rm(LOCK, { recursive: true, force: true })
    return false
  }
}

/** Builds the packages where one has no build, or one that is older than a source; one process at a time. */
export async function buildWhatIsOld(): Promise<void> {
  while (!(await lock())) await later(200)
  try {
    if (!areBuilt()) await buildPackages()
  } finally {
    await rm(LOCK, { recursive: true, force: true })
  }
}

// `npm run build`: all packages, or those in the folders that are named.
if (process.argv[1] === import.meta.filename) {
  const folders = process.argv.slice(2).map(folder => resolve(folder))
  const isAsked = (folder: string): boolean => folders.length === 0 || folders.includes(folder)
  await buildPackages(workspacePackages().filter(({ folder }) => isAsked(folder)))
}
