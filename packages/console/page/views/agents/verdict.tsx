import type { api } from '../../api.ts'
import { Badge } from '../../ui/parts.tsx'
import { say } from './texts.ts'

export type TestRun = Awaited<ReturnType<typeof api.listTestRuns>>['testRuns'][number]

const TONES = { passed: 'good', failed: 'bad', running: 'accent', errored: 'warn' } as const

/** Shows the status of a test in a word. */
export const Verdict = ({ status }: { readonly status: TestRun['status'] }) => (
  <Badge tone={TONES[status]}>{say(status)}</Badge>
)

/** Returns the subject of a run, as the heading of a page and for people who listen to it. */
export const titleOf = ({ branchId, artifactVersion }: TestRun): string =>
  branchId === null ? say('run', { version: artifactVersion }) : say('run.branch', { branch: branchId })

/** Returns the number of passed test cases of a run, in words. */
export const counts = ({ testCases: { passed, total } }: TestRun): string =>
  say('tests.counts', { passed, total })
