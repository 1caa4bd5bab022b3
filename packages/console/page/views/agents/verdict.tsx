import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { Badge } from '../../ui/parts.tsx'
import { say } from './texts.ts'

export type TestRun = Awaited<ReturnType<typeof api.listTestRuns>>['testRuns'][number]

const TONES = { passed: 'good', failed: 'bad', running: 'accent', errored: 'warn' } as const

/** Shows the status of a test in a word. */
export const Verdict = ({ status }: { readonly status: TestRun['status'] }) => (
  <Badge tone={TONES[status]}>{say(status)}</Badge>
)

/** Returns a function that names the subject of a run, for headings and for people who listen to the page. */
export function useRunTitles(agentId: string) {
  const branches = useResource(signal => api.listBranches({ agentId }, { signal }), [agentId]).value?.branches
  return ({ artifactVersion, branchId }: Pick<TestRun, 'artifactVersion' | 'branchId'>): string => {
    if (branchId === null) return say('run', { version: artifactVersion })
    // A branch that is gone has no name.
    const branch = branches?.find(one => one.branchId === branchId)?.branchName ?? branchId
    return say('run.branch', { branch })
  }
}

/** Returns the number of passed test cases of a run, in words. */
export const counts = ({ testCases: { passed, total } }: TestRun): string =>
  say('tests.counts', { passed, total })
