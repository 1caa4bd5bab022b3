import type { ReplayReason, TurnFacts } from '../domain/agent/replay.ts'

/** The verdicts that a judge may give. */
export const JUDGE_VERDICTS = ['reworded', 'changed', 'worse', 'better'] as const

/** A turn of a replay whose rule is `changed` or `reworded`. */
export interface ReplayToJudge {
  /** The visitor's message; empty for the greeting. */
  readonly said: string
  /** The verdict by rule, and its reason. */
  readonly rule: { readonly verdict: 'changed' | 'reworded'; readonly reason: ReplayReason }
  /** The recorded turn. */
  readonly before: TurnFacts
  /** The new one. */
  readonly now: TurnFacts
}

/** The opinion of a judge on a turn. */
export interface ReplayOpinion {
  readonly verdict: (typeof JUDGE_VERDICTS)[number]
  /** One sentence for people, cut at 500 characters. */
  readonly reason: string
}

/**
 * Compares turns of a replay that rules alone call `changed` or `reworded`: `createAiSdkReplayJudge` of
 * `@colloquy/runtime-ai-sdk`, `createMeaningJudge`, or one of your own. It is never asked about a turn that is worse by
 * rule (TE91). Calls may come at once. If it throws, exceeds `testRuns.answerDeadline` or gives anything else, the
 * verdict by rule stays, and the turn counts as not judged (TE91).
 */
export interface ReplayJudge {
  /** Names the model and the prompt, or whatever else decides: 1 to 200 characters, kept with each replay. */
  readonly version: string
  compare(turn: ReplayToJudge, signal: AbortSignal): ReplayOpinion | Promise<ReplayOpinion>
}
