import type { JudgeVerdict, TalkToJudge, TestTalkSoFar, VisitorWords } from '../domain/agent/talk.ts'

export type {
  JudgeVerdict,
  TalkToJudge,
  TestLine,
  TestTalkSoFar,
  VisitorWords,
} from '../domain/agent/talk.ts'

/**
 * Plays the visitor of a test case: `createPlainVisitor()`, `createAiSdkVisitor` of `@colloquy/runtime-ai-sdk`, or one
 * of your own. Calls may come at once. If it throws, exceeds `testRuns.answerDeadline` or gives anything else, the test
 * case has errored.
 */
export interface TestVisitor {
  /**
   * Names the model and the prompt, or whatever else decides its words: 1 to 200 characters, kept with each run (TE84).
   */
  readonly version: string
  say(talk: TestTalkSoFar, signal: AbortSignal): VisitorWords | Promise<VisitorWords>
}

/**
 * Judges a talk by sentences, for example with a language model: `createAiSdkJudge` of `@colloquy/runtime-ai-sdk`. It
 * can fail a test, and never rescues one. Failures are as those of {@link TestVisitor}.
 */
export interface TestJudge {
  /** As in {@link TestVisitor}. */
  readonly version: string
  /** Returns one verdict for each sentence, in order. */
  judge(talk: TalkToJudge, signal: AbortSignal): readonly JudgeVerdict[] | Promise<readonly JudgeVerdict[]>
}
