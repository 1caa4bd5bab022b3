import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { perCore } from './limited.ts'
import { run } from './run.ts'
import {
  exportedModules,
  needsOf,
  REPOSITORY,
  type WorkspacePackage,
  workspacePackages,
} from './workspace-packages.ts'

const TSUP = join(REPOSITORY, 'node_modules/tsup/dist/cli-default.js')
const CONFIG = join(REPOSITORY, 'scripts/tsup.config.ts')

const build = ({ folder }: WorkspacePackage): Promise<string> =>
  run(process.execPath, [TSUP, '--config', CONFIG], folder)

/**
 * Builds all published packages into their `dist`: each after those whose types it reads, otherwise side by side, as many as
 * there are cores.
 * @throws Error with what the build printed, when one of them fails
 */
export async function buildPackages(): Promise<void> {
  const inTurn = perCore()
  const built = new Map<string, Promise<string>>()
  for (const one of workspacePackages()) {
    const needs = Object.keys(needsOf(one)).map(need => built.get(need))
    built.set(
      one.manifest.name,
      Promise.all(needs).then(() => inTurn(() => build(one))),
    )
  }
  await Promise.all(built.values())
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

if (process.argv[1] === import.meta.filename) await buildPackages()
