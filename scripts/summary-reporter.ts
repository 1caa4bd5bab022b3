import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule, TestSuite } from 'vitest/node'
import { slownessOf } from './slowness.ts'

/** Counts in the last line. */
export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * Counts a run. A test that never came to its end counts as failed, and so does each file, group or stray error
 * that failed outside of a test.
 */
function summarize(modules: readonly TestModule[], unhandled: readonly unknown[]): Summary {
  const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
  const countErrors = (one: TestModule | TestSuite): void => {
    if (one.errors().length > 0) count.failed++
  }
  for (const module of modules) {
    countErrors(module)
    for (const suite of module.children.allSuites()) countErrors(suite)
    for (const test of module.children.allTests()) count[test.result().state]++
  }
  return { passed: count.passed, failed: count.failed + count.pending, skipped: count.skipped }
}

/** Counts the answers compared with the OpenAPI document, or the frames compared with their schemas (DO30, MS42). */
const checkedOf = (modules: readonly TestModule[], what: 'answers' | 'frames'): number =>
  modules
    .flatMap(module => [...module.children.allTests()])
    .reduce((sum, test) => sum + (test.meta()[what] ?? 0), 0)

/** Returns the measurements of tests. */
const toldBy = (modules: readonly TestModule[]): readonly string[] =>
  modules.flatMap(module => [...module.children.allTests()]).flatMap(test => test.meta().told ?? [])

const SLOWEST = 10

/** Seconds beyond which a file says why. */
const LONG = 10

function lineOf(file: string, seconds: number): string {
  const line = `${seconds.toFixed(1)} s ${relative(process.cwd(), file)}`
  return seconds > LONG ? `${line}: ${slownessOf(file) ?? 'the file does not say why (// Slow: …)'}` : line
}

/** The files that took longest, with their seconds (TS3). Files run side by side, so these do not add up to the run. */
const slowestOf = (modules: readonly TestModule[]): readonly string[] =>
  modules
    .map(module => ({ module, time: module.diagnostic().duration }))
    .toSorted((one, other) => other.time - one.time)
    .slice(0, SLOWEST)
    .map(({ module, time }) => lineOf(module.moduleId, time / 1_000))

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** Returns the message of an error. One from another process is no instance of `Error` here. */
const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : 'something was thrown'

/** Returns the failed tests, each with the first line of its error. */
function failedIn(modules: readonly TestModule[], unhandled: readonly unknown[]): readonly string[] {
  const failed = modules.flatMap(module => {
    const file = relative(process.cwd(), module.moduleId)
    const told = (name: string, errors: readonly { readonly message: string }[] = []): string =>
      [file, name, firstLine(errors[0]?.message ?? 'it did not end')].filter(part => part !== '').join(': ')
    const groups = [...module.children.allSuites()].filter(suite => suite.errors().length > 0)
    const tests = [...module.children.allTests()].filter(test =>
      ['failed', 'pending'].includes(test.result().state),
    )
    return [
      ...(module.errors().length > 0 ? [told('', module.errors())] : []),
      ...groups.map(suite => told(suite.fullName, suite.errors())),
      ...tests.map(test => told(test.fullName, test.result().errors)),
    ]
  })
  return [...failed, ...unhandled.map(error => firstLine(messageOf(error)))]
}

/** The tests that were skipped, each with the reason that it gave, if any. */
function skippedTests(modules: readonly TestModule[]): readonly string[] {
  return modules
    .flatMap(module => [...module.children.allTests('skipped')])
    .map(test => {
      const result = test.result()
      const reason = result.state === 'skipped' ? result.note : undefined
      return reason === undefined ? test.fullName : `${test.fullName}: ${reason}`
    })
}

/**
 * Prints `N passed, N failed, N skipped` alone on the last line. It is written when the process ends, so that
 * nothing comes after it; a run that fails for a reason that no test shows counts one failure.
 */
export default class SummaryReporter implements Reporter {
  #summary: Summary = { passed: 0, failed: 0, skipped: 0 }
  #failed: readonly string[] = []
  #skipped: readonly string[] = []
  #told: readonly string[] = []
  #slowest: readonly string[] = []
  #answers = 0
  #frames = 0

  onInit(): void {
    process.once('exit', code => {
      const { passed, failed, skipped } = this.#summary
      writeSync(1, `Node ${process.version}. The slowest files:\n${this.#slowest.join('\n')}\n`)
      for (const skipped of this.#skipped) writeSync(1, `Skipped: ${skipped}\n`)
      for (const told of this.#told) writeSync(1, `${told}\n`)
      if (this.#answers > 0) writeSync(1, `Answers as in the OpenAPI document: ${this.#answers}\n`)
      if (this.#frames > 0) writeSync(1, `Frames as in their schemas: ${this.#frames}\n`)
      for (const failed of this.#failed) writeSync(1, `Failed: ${failed}\n`)
      writeSync(1, `\n${passed} passed, ${failed || (code === 0 ? 0 : 1)} failed, ${skipped} skipped\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    this.#summary = summarize(modules, unhandled)
    this.#failed = failedIn(modules, unhandled)
    this.#skipped = skippedTests(modules)
    this.#told = toldBy(modules)
    this.#slowest = slowestOf(modules)
    this.#answers = checkedOf(modules, 'answers')
    this.#frames = checkedOf(modules, 'frames')
  }
}
