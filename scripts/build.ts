import { join } from 'node:path'
import { run } from './run.ts'
import { needsOf, REPOSITORY, type WorkspacePackage, workspacePackages } from './workspace-packages.ts'

const TSUP = join(REPOSITORY, 'node_modules/tsup/dist/cli-default.js')
const CONFIG = join(REPOSITORY, 'scripts/tsup.config.ts')

const build = ({ folder }: WorkspacePackage): Promise<string> =>
  run(process.execPath, [TSUP, '--config', CONFIG], folder)

/**
 * Builds all published packages into their `dist`: each after those whose types it reads, otherwise side by side.
 * @throws Error with what the build printed, when one of them fails
 */
export async function buildPackages(): Promise<void> {
  const built = new Map<string, Promise<string>>()
  for (const one of workspacePackages()) {
    const needs = Object.keys(needsOf(one)).map(need => built.get(need))
    built.set(
      one.manifest.name,
      Promise.all(needs).then(() => build(one)),
    )
  }
  await Promise.all(built.values())
}

if (process.argv[1] === import.meta.filename) await buildPackages()
