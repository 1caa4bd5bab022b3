import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { REPOSITORY } from '../workspace-packages.ts'

/** Programs that tests start as processes of their own, many times in a run. */
const PROGRAMS = [
  'examples/standalone/src/main.ts',
  'examples/quickstart/src/main.ts',
  'examples/cluster/src/main.ts',
  'examples/webhook-live-agents/tests/support/host-program.ts',
  'packages/admin-cli/src/main.ts',
  'packages/adapter-sqlite/tests/children/*.ts',
  'packages/client/tests/support/host-program.ts',
  'packages/limits-redis/tests/support/node-program.ts',
  'e2e/src/*.ts',
  'e2e/tests/support/impatient-host.ts',
]

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run's bundled programs. */
    programs: string
  }
}

/**
 * Bundles the programs once for a run of tests: a process that loads one file starts in a quarter of the time that one
 * takes which compiles four hundred. Packages from the registry stay outside. The folder goes with the run.
 */
export default async function bundlePrograms(project: TestProject): Promise<() => Promise<void>> {
  const cache = join(REPOSITORY, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const outdir = await mkdtemp(join(cache, 'colloquy-programs-'))
  await build({
    entryPoints: PROGRAMS,
    absWorkingDir: REPOSITORY,
    outbase: REPOSITORY,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@colloquy/source'],
    sourcemap: 'linked',
    logLevel: 'warning',
    plugins: [
      {
        name: 'packages of others stay outside',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@colloquy/') ? null : { path, external: true },
          )
        },
      },
    ],
  })
  project.provide('programs', outdir)
  return () => rm(outdir, { recursive: true, force: true })
}
