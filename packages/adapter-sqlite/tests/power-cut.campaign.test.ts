import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '@colloquy/test-support/random'
import { SEED } from '@colloquy/test-support/seed'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { createDisk, type Files } from './power-cut/disk.ts'
import { SECRET, STORE, TOLD } from './power-cut/places.ts'
import {
  buildTracer,
  runTraced,
  type TracedRun,
  type Tracer,
  temporaryFolder,
  writeFiles,
} from './power-cut/traced-run.ts'
import { judge } from './power-cut/verdict.ts'

const { POWER_CUTS = '40' } = process.env

/** How often the power fails in each run: more in a campaign (`POWER_CUTS=2000`). */
const CUTS = Number(POWER_CUTS)

const HOLD_AND_REMOVE = new URL('children/hold-and-remove.ts', import.meta.url)
const SAY_AND_REMOVE = new URL('children/say-and-remove.ts', import.meta.url)
const WRITE_ROWS = new URL('children/write-rows.ts', import.meta.url)

const folder = temporaryFolder()
let tracer: Tracer = { missing: 'it was not built' }
let fresh: TracedRun | undefined
let runs = 0

beforeAll(async () => {
  console.log(`COLLOQUY_TEST_SEED=${SEED} POWER_CUTS=${CUTS}`)
  tracer = buildTracer(folder)
  if ('library' in tracer) fresh = await runTraced(tracer.library, HOLD_AND_REMOVE, newFolder(), '0')
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const newFolder = (): string => {
  const path = join(folder, `run-${runs++}`)
  mkdirSync(path)
  return path
}

/** What a power cut leaves, and what had been said until then. */
interface PowerCut {
  readonly at: number
  readonly files: Files
  readonly told: string
}

/** The power fails at so many moments of a run, in their order: half of them right after something was acknowledged. */
function* powerCuts(
  run: TracedRun,
  { cuts, syncs = true }: { readonly cuts: number; readonly syncs?: boolean },
): Generator<PowerCut> {
  const random = createRandom(SEED)
  const file = join(run.folder, TOLD)
  const disk = createDisk({ folder: run.folder, files: run.before, syncs })
  const acknowledgements: number[] = []
  let descriptor: number | undefined
  for (const [at, operation] of run.operations.entries()) {
    if (operation.type === 'open' && operation.path === file) descriptor = operation.descriptor
    if (operation.type === 'write' && operation.descriptor === descriptor) acknowledgements.push(at)
  }
  const moments = Array.from({ length: cuts }, (_, cut) =>
    cut % 2 === 0
      ? random.below(run.operations.length)
      : (acknowledgements[random.below(acknowledgements.length)] ?? 0),
  ).sort((one, other) => other - one)
  for (const [at, operation] of run.operations.entries()) {
    disk.apply(operation)
    for (; moments.at(-1) === at; moments.pop()) {
      const told = disk.now().get(file)?.toString() ?? ''
      const files = new Map(disk.afterPowerCut(random))
      yield { at, files: files.set(file, Buffer.from(told)), told }
    }
  }
}

/** What is wrong after so many power cuts in a run of `hold-and-remove.ts`. */
async function problemsOf(
  run: TracedRun,
  cuts: Iterable<PowerCut>,
  further: (filename: string) => readonly string[] = () => [],
): Promise<readonly string[]> {
  const problems: string[] = []
  const image = newFolder()
  for (const { at, files, told } of cuts) {
    writeFiles(files, run.folder, image)
    const filename = join(image, STORE)
    const found = [...(await judge(filename, told)), ...further(filename)]
    problems.push(...found.map(problem => `after ${at} of ${run.operations.length}: ${problem}`))
  }
  return problems
}

const withoutMapped = (files: Files) => new Map([...files].filter(([path]) => !path.endsWith('-shm')))

/** Replayed to its end, a trace leaves the very bytes that the process has left: nothing that it did is missing from the trace. */
function expectWhole(run: TracedRun): void {
  const disk = createDisk({ folder: run.folder, files: run.before })
  for (const operation of run.operations) disk.apply(operation)
  expect(withoutMapped(disk.now())).toEqual(withoutMapped(run.after))
}

/** A library that traces, and a run of `hold-and-remove.ts` in an empty folder. Skips the test where there can be none. */
function ready(context: TestContext): { readonly library: string; readonly fresh: TracedRun } {
  if ('missing' in tracer) return context.skip(`No power can be cut: ${tracer.missing}.`)
  if (fresh === undefined) throw new Error('No process was traced.')
  return { ...tracer, fresh }
}

/** How many rows of `write-rows.ts` a file holds; none where it is not a database any more. */
function rowsOf(filename: string): number {
  const database = new BetterSqlite3(filename)
  try {
    return Number(database.prepare('SELECT count(*) FROM number').pluck().get())
  } catch {
    return 0
  } finally {
    database.close()
  }
}

describe('power cuts', () => {
  it('SQ30 a store that is made, written, emptied and closed keeps whatever was acknowledged', async context => {
    const { fresh } = ready(context)
    expectWhole(fresh)
    expect(await problemsOf(fresh, powerCuts(fresh, { cuts: CUTS }))).toEqual([])
  })

  it('SQ30 so does a file that a power cut has left before', async context => {
    const { library, fresh } = ready(context)
    const path = newFolder()
    const [first] = [...powerCuts(fresh, { cuts: 10 })].slice(-3)
    if (first === undefined) throw new Error('The power did not fail.')
    writeFiles(first.files, fresh.folder, path)
    const run = await runTraced(library, HOLD_AND_REMOVE, path, '1')
    expectWhole(run)
    expect(await problemsOf(run, powerCuts(run, { cuts: CUTS }))).toEqual([])
  })

  it('SQ30 what a disk loses that only says that it has synced is seen to be lost', async context => {
    const { fresh } = ready(context)
    const problems = await problemsOf(fresh, powerCuts(fresh, { cuts: 12, syncs: false }))
    expect(problems.filter(problem => / is lost$/.test(problem))).not.toEqual([])
  })

  it('SQ30 less than synchronous=FULL is seen to lose what it acknowledged', async context => {
    const { library } = ready(context)
    const image = newFolder()
    const lost = async (synchronous: string): Promise<number> => {
      const run = await runTraced(library, WRITE_ROWS, newFolder(), synchronous)
      expectWhole(run)
      let times = 0
      for (const { files, told } of powerCuts(run, { cuts: 60 })) {
        writeFiles(files, run.folder, image)
        if (rowsOf(join(image, 'rows.db')) < told.split('\n').length - 1) times++
      }
      return times
    }
    expect(await lost('FULL')).toBe(0)
    expect(await lost('NORMAL')).toBeGreaterThan(0)
    expect(await lost('OFF')).toBeGreaterThan(0)
  })

  it('SQ30 the folders that a store makes for its file are there after a power cut', async context => {
    const { fresh } = ready(context)
    const later = [...powerCuts(fresh, { cuts: 400 })].filter(({ told }) => told !== '')
    expect(later.length).toBeGreaterThan(200)
    const file = join(fresh.folder, STORE)
    expect(later.filter(({ files }) => !files.has(file)).map(({ at }) => at)).toEqual([])
  })

  it('SQ75 no power cut brings back what a removal took', async context => {
    const { library } = ready(context)
    const run = await runTraced(library, SAY_AND_REMOVE, newFolder())
    expectWhole(run)
    const cuts = [...powerCuts(run, { cuts: 100 })].filter(({ told }) => told.includes('removed'))
    expect(cuts.length).toBeGreaterThan(20)
    const holding = cuts.flatMap(({ files }) => [...files].filter(([, bytes]) => bytes?.includes(SECRET)))
    expect(holding.map(([path]) => path)).toEqual([])
    // It was in the files before.
    expect(run.operations.some(one => one.type === 'write' && one.bytes.includes(SECRET))).toBe(true)
  })
})
