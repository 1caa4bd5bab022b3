import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from '../children/child.ts'
import type { Files } from './disk.ts'
import { type DiskOperation, readTrace } from './trace.ts'

const SOURCE = fileURLToPath(new URL('disk-trace.c', import.meta.url))

/** A library that traces a process, or why there is none. */
export type Tracer = { readonly library: string } | { readonly missing: string }

/** Builds the library in a folder. */
export function buildTracer(folder: string): Tracer {
  if (process.platform !== 'linux')
    return {
      missing: 'only Linux can put a library between a process and its files (LD_PRELOAD); run it there',
    }
  const library = join(folder, 'disk-trace.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, SOURCE, '-pthread'])
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return { missing: 'there is no C compiler `cc`; install gcc or clang' }
  }
  const [traced, trace] = [join(folder, 'probe'), join(folder, 'probe-trace')]
  mkdirSync(traced)
  execFileSync(process.execPath, ['-e', 'fs.writeFileSync(process.argv[1], "")', join(traced, 'file')], {
    env: environment(library, traced, trace),
  })
  if (!existsSync(trace))
    return {
      missing: 'this Node is linked statically and takes no LD_PRELOAD; use one that links to the C library',
    }
  return { library }
}

const environment = (library: string, folder: string, trace: string): NodeJS.ProcessEnv => ({
  ...process.env,
  LD_PRELOAD: library,
  TRACED_FOLDER: folder,
  TRACE_FILE: trace,
})

/** What is in a folder, by absolute paths. */
function readFiles(folder: string): Files {
  const files = new Map<string, Buffer | null>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    files.set(path, entry.isDirectory() ? null : readFileSync(path))
  }
  return files
}

/** Puts files, which were in one folder, into another one, which is emptied first. */
export function writeFiles(files: Files, from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const [path, bytes] of files) {
    const place = join(to, path.slice(from.length))
    if (bytes === null) mkdirSync(place, { recursive: true })
    else {
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, bytes)
    }
  }
}

/** What a process did in a folder, and what was in the folder before and after. */
export interface TracedRun {
  readonly folder: string
  readonly before: Files
  readonly operations: readonly DiskOperation[]
  readonly after: Files
}

/** Runs a script, which gets the folder as its first argument, to its end. */
export async function runTraced(
  library: string,
  script: URL,
  folder: string,
  ...args: readonly string[]
): Promise<TracedRun> {
  const before = readFiles(folder)
  const trace = `${folder}.trace`
  const child = runChild(script, [folder, ...args], environment(library, folder, trace))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The traced process ended with ${code}.`)
  return { folder, before, operations: readTrace(readFileSync(trace)), after: readFiles(folder) }
}

/** A folder for files of tests. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'colloquy-power-'))
