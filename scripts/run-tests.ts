import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { otherNode } from './other-node.ts'
import { isTestKind, TEST_CHOICES, TEST_KINDS, type TestKindName } from './test-kinds.ts'
import { REPOSITORY } from './workspace-packages.ts'

const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')

/** Projects of the configuration, except the one of another brand. */
const PROJECTS = ['tests', 'AI SDK *'].flatMap(name => ['--project', name])

interface Run {
  readonly name: string
  readonly node: string
  /** Version of that Node, if it is not npm's. */
  readonly version?: string
  readonly args: readonly string[]
  readonly minutes: number
}

/** Counts of a run, from the last line of its output. */
interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The lines that name what failed. */
  readonly names: readonly string[]
}

/** Expands globs to paths from the root of the repository. */
export const filesOf = (globs: readonly string[]): readonly string[] =>
  globSync([...globs], { cwd: REPOSITORY, exclude: ['**/node_modules', '**/dist'] }).toSorted()

/** Longer runs, as with `POWER_CUTS=2000`, are given their minutes. */
const { COLLOQUY_TEST_MINUTES } = process.env

/** Number of times that each run is made. A test that fails only in some of them is flaky. */
const TIMES = Number(process.env.COLLOQUY_TEST_TIMES ?? 1)

function runOfKind(name: TestKindName): Run {
  const { files, minutes } = TEST_KINDS[name]
  const chosen = [...PROJECTS, ...filesOf(files)]
  return { name, node: process.execPath, minutes, args: ['--mode', 'campaigns', ...chosen] }
}

const runOfLanding: Run = {
  name: 'landing',
  node: process.execPath,
  minutes: 40,
  args: ['--mode', 'campaigns', ...PROJECTS, ...filesOf(TEST_CHOICES.landing)],
}

/** The tests of `npm test`, without its checks. */
const runOfTests: Run = { name: 'quick', node: process.execPath, minutes: 30, args: [] }

async function runOnNode(version: string): Promise<Run> {
  const args = [...PROJECTS, ...filesOf(TEST_CHOICES['each-node'])]
  return { name: `Node ${version}`, node: await otherNode(version), version, minutes: 20, args }
}

/** Reads the counts of a run, which is a failure where it printed none. */
function countsOf(output: string): Count {
  const [, passed = 0, failed = 1, skipped = 0] =
    /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output.slice(-200)) ?? []
  const names = output.match(/^Failed: .*$/gm) ?? []
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), names }
}

/** Runs tests to their end, or to the end of their time, and passes their output on. */
function runTests({ name, node, version, args, ...run }: Run): Promise<Count> {
  const minutes = Number(COLLOQUY_TEST_MINUTES ?? run.minutes)
  console.log(`\n== ${name}: at most ${minutes} minutes`)
  const child = spawn(node, [VITEST, 'run', ...args], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(version === undefined ? {} : { COLLOQUY_TEST_NODE: version }) },
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output = (output + String(chunk)).slice(-10_000)
    process.stdout.write(chunk)
  })
  const limit = setTimeout(() => {
    console.log(`\n${name} took longer than ${minutes} minutes and was ended.`)
    child.kill('SIGKILL')
  }, minutes * 60_000)
  return new Promise(resolve => {
    child.once('close', code => {
      clearTimeout(limit)
      const counted = countsOf(output)
      resolve(code === 0 ? counted : { ...counted, failed: Math.max(counted.failed, 1) })
    })
  })
}

/** Reads the words of a command line: kinds, `landing`, `quick`, or versions of Node. None: all kinds. */
function runsOf(words: readonly string[]): Promise<readonly Run[]> {
  const asked = words.length > 0 ? words : Object.keys(TEST_KINDS)
  return Promise.all(
    asked.map(word => {
      if (isTestKind(word)) return runOfKind(word)
      if (word === 'landing') return runOfLanding
      if (word === 'quick') return runOfTests
      if (/^\d+\.\d+\.\d+$/.test(word)) return runOnNode(word)
      const allowed = [
        ...Object.keys(TEST_KINDS),
        'landing',
        'quick',
        'a version of Node such as 22.23.3',
      ].join(', ')
      throw new Error(`${word} is no kind of test. Kinds are: ${allowed}.`)
    }),
  )
}

async function main(words: readonly string[]): Promise<void> {
  if (!existsSync(VITEST)) throw new Error('Nothing is installed. Run npm ci first.')
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const times: string[] = []
  /** Number of failures of each test, by its name. */
  const failures = new Map<string, number>()
  const runs = await runsOf(words)
  for (const run of runs.flatMap(run => Array.from({ length: TIMES }, () => run))) {
    const started = performance.now()
    const { passed, failed, skipped, ...counted } = await runTests(run)
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
    for (const line of counted.names.map(name => `${run.name}: ${name}`))
      failures.set(line, (failures.get(line) ?? 0) + 1)
    times.push(`${run.name}: ${Math.round((performance.now() - started) / 1_000)} s, ${failed} failed`)
  }
  const names = [...failures].map(([line, count]) =>
    TIMES > 1 ? `${count} of ${TIMES} times: ${line}` : line,
  )
  console.log(
    `\n${[...times, ...names].join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`,
  )
  process.exitCode = sum.failed > 0 ? 1 : 0
}

if (process.argv[1] === import.meta.filename)
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
