import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { REPOSITORY } from '../../scripts/workspace-packages.ts'
import type { Result } from './result.ts'

const resultSchema = z.object({
  row: z.string(),
  variant: z.string(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  unit: z.string(),
})

const sectionSchema = z.object({
  measuredAt: z.string(),
  /** Commit of the repository; with `+` if files had been changed since. */
  commit: z.string(),
  machine: z.object({ cpu: z.string(), cores: z.number(), memoryGiB: z.number(), platform: z.string() }),
  versions: z.record(z.string(), z.string()),
  /** The load average of a minute when it began, and that of 15 minutes when it ended: above the bench's own the machine was busy. */
  load: z.object({ before: z.number(), over: z.number() }).exactOptional(),
  results: z.array(resultSchema),
})

const keptSchema = z.object({ benches: z.record(z.string(), sectionSchema) })

/** Results of a bench, and where they come from. */
export type Section = z.output<typeof sectionSchema>

/** Kept results of benches, by their names. */
export type Kept = z.output<typeof keptSchema>

const FOLDER = join(REPOSITORY, 'bench/results')
const LATEST = join(FOLDER, 'latest.json')

/** The results from which `docs/performance.md` is made. */
export const readLatest = (): Kept => keptSchema.parse(JSON.parse(readFileSync(LATEST, 'utf8')))

const PACKAGES = ['better-sqlite3', 'express', 'socket.io', 'ws']

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: REPOSITORY, encoding: 'utf8' }).trim()

function versions(): Record<string, string> {
  const installed = PACKAGES.map(name => {
    const manifest = readFileSync(join(REPOSITORY, 'node_modules', name, 'package.json'), 'utf8')
    return [name, z.object({ version: z.string() }).parse(JSON.parse(manifest)).version]
  })
  return { node: process.versions.node, v8: process.versions.v8, ...Object.fromEntries(installed) }
}

const rounded = (value: number): number => Number(value.toPrecision(4))

/** Runs a bench and returns its results with their origin. Nothing in it names the machine or its folders. */
export async function sectionOf(measure: () => Promise<readonly Result[]>): Promise<Section> {
  const [before = 0] = loadavg()
  const results = await measure()
  const [cpu] = cpus()
  return {
    measuredAt: new Date().toISOString(),
    commit: git('rev-parse', '--short=10', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+'),
    machine: {
      cpu: cpu?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      platform: `${process.platform} ${process.arch}`,
    },
    versions: versions(),
    load: { before: rounded(before), over: rounded(loadavg()[2] ?? 0) },
    results: results.map(({ row, variant, unit, ...figures }) => ({
      ...{ row, variant, unit },
      ...{ median: rounded(figures.median), min: rounded(figures.min), max: rounded(figures.max) },
    })),
  }
}

const write = (file: string, kept: Kept): void => writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`)

/** Writes the results of a run to a file of their own, and with `latest` also to the one that the page is made from. */
export function keepResults({ benches }: Kept, latest: boolean): void {
  mkdirSync(FOLDER, { recursive: true })
  write(join(FOLDER, `${new Date().toISOString().replaceAll(':', '-')}.json`), { benches })
  if (latest) write(LATEST, { benches: { ...readLatest().benches, ...benches } })
}
