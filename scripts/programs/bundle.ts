import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { REPOSITORY, sourceConditions } from '../workspace-packages.ts'

/** Programs that tests start as processes of their own, many times in a run. */
const PROGRAMS = [
  'examples/standalone/src/main.ts',
  'examples/quickstart/src/main.ts',
  'examples/cluster/src/main.ts',
  'examples/terminal-transport/src/main.ts',
  'examples/webhook-live-agents/tests/support/host-program.ts',
  'packages/admin-cli/src/main.ts',
  'packages/adapter-sqlite/tests/children/*.ts',
  'packages/client/tests/support/host-program.ts',
  'packages/voice-gateway/tests/children/*.ts',
  'packages/brokers/tests/redis-limits/support/node-program.ts',
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
 * Modules that stay outside of the bundles: they find files of their own, compiled ones or workers, by their location.
 */
const OUTSIDE = [
  ...['better-sqlite3', 'pino', 'pg', 'pg-native', 'onnxruntime-node', 'jsonc-parser'],
  // They make the widget's and the console's files in a checkout, with bundlers of their own.
  '../../../scripts/widget-files.ts',
  '../../../../scripts/console-files.ts',
]

/**
 * Bundles the programs, with the packages that they use: a process that loads one file starts in an eighth of the time
 * that one takes which compiles four hundred.
 */
async function bundle(): Promise<string> {
  const cache = join(REPOSITORY, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const outdir = await mkdtemp(join(cache, 'colloquy-programs-'))
  const files = globSync(PROGRAMS, { cwd: REPOSITORY })
  await build({
    input: Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), join(REPOSITORY, file)])),
    platform: 'node',
    resolve: { conditionNames: sourceConditions('node') },
    transform: { target: 'node22' },
    external: id => OUTSIDE.some(name => id === name || id.startsWith(`${name}/`)),
    output: { dir: outdir, format: 'esm', entryFileNames: '[name].js', sourcemap: true, comments: false },
    logLevel: 'warn',
  })
  return outdir
}

declare global {
  /** The programs of this run. Each project loads this module again, so shared state is kept in the process. */
  var colloquyPrograms: { readonly folder: Promise<string>; users: number } | undefined
}

/** Gives a project the programs, which are bundled once for a run of tests. Their folder goes with the run. */
export default async function bundlePrograms(project: TestProject): Promise<() => Promise<void>> {
  globalThis.colloquyPrograms ??= { folder: bundle(), users: 0 }
  const programs = globalThis.colloquyPrograms
  programs.users += 1
  const folder = await programs.folder
  project.provide('programs', folder)
  return async () => {
    programs.users -= 1
    if (programs.users > 0) return
    globalThis.colloquyPrograms = undefined
    await rm(folder, { recursive: true, force: true })
  }
}
