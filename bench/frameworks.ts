import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { packPackages } from '../scripts/pack.ts'
import { run } from '../scripts/run.ts'
import {
  EARLIER_LINES,
  FRAMEWORK_NAMES,
  FRAMEWORK_UNITS,
  FRAMEWORKS,
  type FrameworkName,
  frameworkRow,
} from './table/framework-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { withFolder } from './with-folder.ts'

const FILES = join(import.meta.dirname, 'frameworks')

const OURS = ['core', 'adapter-sqlite', 'runtime-retrieval', 'runtime-ai-sdk']

const SQLITE = { 'better-sqlite3': '13.2.0' }
const AI = { ai: '6.0.326', zod: '4.6.7' }

/** The packages of each subject, besides our own. */
const INSTALLED: Readonly<Record<FrameworkName, Readonly<Record<string, string>>>> = {
  colloquy: SQLITE,
  'colloquy-ai-sdk': { ...SQLITE, ...AI },
  'ai-sdk': { ...SQLITE, ...AI },
  langgraph: {
    ...SQLITE,
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
    '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
    zod: AI.zod,
  },
  mastra: { ...AI, '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1', '@mastra/memory': '1.31.0' },
  voltagent: {
    ...AI,
    '@voltagent/core': '2.10.0',
    '@voltagent/libsql': '2.1.2',
    '@voltagent/logger': '2.0.2',
  },
}

const figuresSchema = z.object({
  atOnce: z.number(),
  ...{ cpu: z.number(), perSecond: z.number(), statements: z.number() },
})
type Figures = z.output<typeof figuresSchema>

/** Installs a subject, as a team that takes it would, and puts the files of the bench beside it. */
async function install(name: FrameworkName, folder: string, packed: ReadonlyMap<string, string>) {
  await mkdir(folder, { recursive: true })
  const own = name.startsWith('colloquy')
    ? OURS.flatMap(part => {
        const file = packed.get(`@colloquy/${part}`)
        return file === undefined ? [] : [[`@colloquy/${part}`, `file:${file}`] as const]
      })
    : []
  const manifest = {
    ...{ name, private: true, type: 'module' },
    dependencies: { ...Object.fromEntries(own), ...INSTALLED[name] },
    // One driver for all who use it: an older one would have to be compiled.
    ...(name === 'langgraph' ? { overrides: SQLITE } : {}),
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], folder)
  for (const file of await readdir(FILES)) await cp(join(FILES, file), join(folder, file))
}

/** Runs a process of a subject, and returns what it printed. */
async function cell(folder: string, given: readonly string[]): Promise<string> {
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production' },
    ...{ MASTRA_TELEMETRY_DISABLED: '1', VOLTAGENT_TELEMETRY_DISABLED: 'true' },
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', 'cell.mjs', ...given], {
    ...{ cwd: folder, env, timeout: 120_000, maxBuffer: 100_000_000 },
  })
  return stdout
}

/** Measures a subject once, on a fresh copy of its conversations. */
async function measure(name: FrameworkName, folder: string): Promise<readonly Figures[]> {
  const data = join(folder, 'round')
  await rm(data, { recursive: true, force: true })
  await cp(join(folder, 'seed'), data, { recursive: true })
  const printed = await cell(folder, ['measure', name, data])
  return printed
    .split('\n')
    .filter(line => line.startsWith('figures '))
    .map(line => figuresSchema.parse(JSON.parse(line.slice(8))))
}

/**
 * A visitor's line in, an answer of 200 characters out, both on disk: in one process, with a model that answers at
 * once, over conversations that have lines already. Each subject is installed from the registry in a folder of its
 * own; every round of a subject has a fresh process and a fresh copy of the conversations, and the order of subjects
 * moves on from round to round.
 */
export async function measureFrameworks({ rounds = 3 }: BenchOptions): Promise<readonly Result[]> {
  const found = new Map<FrameworkName, Figures[]>(FRAMEWORK_NAMES.map(name => [name, []]))
  await withFolder(async folder => {
    const packed = await packPackages(join(folder, 'packed'))
    for (const name of FRAMEWORK_NAMES) {
      const own = join(folder, name)
      await install(name, own, packed)
      await cell(own, ['seed', name, join(own, 'seed'), String(EARLIER_LINES)])
    }
    for (let round = 0; round < rounds; round++)
      for (const at of FRAMEWORK_NAMES.keys()) {
        const name = FRAMEWORK_NAMES[(at + round) % FRAMEWORK_NAMES.length] ?? 'colloquy'
        found.get(name)?.push(...(await measure(name, join(folder, name))))
      }
  })
  const units = Object.entries(FRAMEWORK_UNITS) as [keyof typeof FRAMEWORK_UNITS, string][]
  return [1, 32].flatMap(atOnce =>
    [...found].flatMap(([name, figures]) =>
      units.map(([figure, unit]) =>
        resultOf(
          { row: frameworkRow(atOnce), variant: FRAMEWORKS[name].title, unit },
          figures.filter(one => one.atOnce === atOnce).map(one => one[figure]),
        ),
      ),
    ),
  )
}
