import type { TestVisitorProfile } from './test-visitor.ts'

/** One line of a talk in a test. */
export interface TestLine {
  readonly from: 'visitor' | 'ai_agent'
  readonly text: string
}

/** A talk so far, as the visitor of a test reads it. */
export interface TestTalkSoFar {
  readonly visitor: TestVisitorProfile
  /** Oldest first, the greeting included. */
  readonly lines: readonly TestLine[]
  /** The agent has ended the conversation or handed it off: nothing more can be said. */
  readonly ended: boolean
}

/** The visitor's next words, or that the talk is over: the goal is reached, or never will be. */
export type VisitorWords =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done' }
  | { readonly type: 'gives_up'; readonly reason?: string }

/** A talk that is over, and what is to be judged. */
export interface TalkToJudge {
  readonly visitor: TestVisitorProfile
  readonly lines: readonly TestLine[]
  /** Sentences that must be true of the talk. */
  readonly criteria: readonly string[]
}

/** A verdict on one sentence. */
export interface JudgeVerdict {
  readonly passed: boolean
  /** For the author, 1,000 characters. */
  readonly reason: string
}
