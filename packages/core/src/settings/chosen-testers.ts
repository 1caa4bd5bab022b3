import { PlatformError } from '../errors.ts'
import type { ReplayJudge } from '../ports/replay-judge.ts'
import type { TestJudge, TestVisitor } from '../ports/test-visitor.ts'
import { createPlainVisitor } from '../shared/plain-visitor.ts'
import type { PlatformOptions } from './platform-options.ts'

/** Refuses a tester without a version, which callers without types may pass. @throws SCHEMA_VALIDATION_FAILED */
function refuseUnnamed(name: string, { version }: { readonly version: unknown }): void {
  if (typeof version === 'string' && version !== '' && version.length <= 200) return
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `${name} must have a version: a text of 1 to 200 characters.`,
  )
}

/**
 * Returns the visitor and the judge of test cases, and the judge of replays (TE84, TE91).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function chosenTesters({
  replayJudge,
  testJudge,
  testVisitor = createPlainVisitor(),
}: Pick<PlatformOptions, 'replayJudge' | 'testJudge' | 'testVisitor'>): {
  readonly testVisitor: TestVisitor
  readonly testJudge: TestJudge | null
  readonly replayJudge: ReplayJudge | null
} {
  refuseUnnamed('testVisitor', testVisitor)
  if (testJudge !== undefined) refuseUnnamed('testJudge', testJudge)
  if (replayJudge !== undefined) refuseUnnamed('replayJudge', replayJudge)
  return { testVisitor, testJudge: testJudge ?? null, replayJudge: replayJudge ?? null }
}
