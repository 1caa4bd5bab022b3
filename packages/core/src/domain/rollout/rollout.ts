import type { Deployment } from '../agent/agent.ts'
import { digestOf } from '../digest.ts'
import type { Environment } from '../environment.ts'
import type {
  AccountId,
  AgentId,
  AlertRuleId,
  BranchId,
  ConversationId,
  DeploymentId,
  RolloutId,
} from '../ids.ts'

/** Limits of rollouts and of their lists. */
export const ROLLOUT_LIMITS = {
  /** The share that is everything. Basis points: 1 is a hundredth of a percent. */
  whole: 10_000,
  /** Changes of the share that are kept, the newest ones. */
  shares: 100,
  /** Alert rules that may watch one. */
  guards: 10,
  /** Rollouts in a list that names no limit. */
  listDefault: 20,
  /** Most rollouts a list may ask for. */
  listMaximum: 100,
} as const

/** The environments in which two versions can run. A merge goes to sandbox at once, and is never refused. */
export const ROLLOUT_ENVIRONMENTS = ['pre-release', 'live'] as const satisfies readonly Environment[]
export type RolloutEnvironment = (typeof ROLLOUT_ENVIRONMENTS)[number]

/** The two versions: `base` is what ran before, `candidate` what is tried. */
export const ROLLOUT_SIDES = ['base', 'candidate'] as const
export type RolloutSide = (typeof ROLLOUT_SIDES)[number]

/** Decides who stays on a side: a visitor with all conversations, or every conversation alone. */
export const ROLLOUT_KEYS = ['visitor', 'conversation'] as const
export type RolloutKey = (typeof ROLLOUT_KEYS)[number]

/** A version that takes part. */
export type RolloutVersion = Pick<Deployment, 'revision' | 'version' | 'environment'> & {
  readonly deploymentId: DeploymentId
}

/** The candidate's share from a moment on. */
export interface RolloutShare {
  /** 0 to 10,000. */
  readonly basisPoints: number
  readonly at: number
  /** The actor, as `Deployment.createdBy` names it; the id of the alert rule that parked it. */
  readonly by: string
}

/**
 * Reasons why an end comes early: a guard has taken the candidate's share away, or a side had too few conversations to
 * be compared.
 */
export const ROLLOUT_EARLY = ['guard', 'not_enough'] as const
export type RolloutEarly = (typeof ROLLOUT_EARLY)[number]

/** The end of a rollout. */
export interface RolloutEnd {
  readonly winner: RolloutSide
  readonly at: number
  readonly by: string
  /** The deployment that gave the whole environment to the candidate; null where the base has won. */
  readonly deploymentId: DeploymentId | null
  /** Why it came early; null where it did not. Older ends do not say. */
  readonly early?: RolloutEarly | null
}

/** Two versions of an agent that share an environment. */
export interface Rollout {
  readonly id: RolloutId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: RolloutEnvironment
  readonly base: RolloutVersion
  readonly candidate: RolloutVersion
  readonly key: RolloutKey
  /** Makes the sides of two rollouts independent of each other. */
  readonly salt: string
  /** The candidate's shares, oldest first: the last one holds. */
  readonly shares: readonly RolloutShare[]
  /** The alert rules that take the candidate's share away once they fire. */
  readonly guards: readonly AlertRuleId[]
  readonly startedAt: number
  readonly startedBy: string
  /** Null while it runs. */
  readonly end: RolloutEnd | null
}

/** The rollout that chose the version of a conversation, and the side that it chose. */
export interface RolloutPlacement {
  readonly id: RolloutId
  readonly side: RolloutSide
}

/** Whoever a conversation is with, and what it runs already. */
export interface Participant {
  readonly conversationId: ConversationId
  /** An id or number that stays the same from one conversation of a person to the next; null without any. */
  readonly visitor: string | null
  /** The version that the conversation runs; null before its first turn. */
  readonly runs: DeploymentId | BranchId | null
}

/** Returns the candidate's present share, in basis points. */
export const shareOf = ({ shares }: Pick<Rollout, 'shares'>): number => shares.at(-1)?.basisPoints ?? 0

/** Returns why a rollout that ends now does so early. @param isEnough whether both sides can be compared */
export function earlyOf(
  { guards, shares }: Pick<Rollout, 'guards' | 'shares'>,
  isEnough: boolean,
): RolloutEarly | null {
  const last = shares.at(-1)
  if (last?.basisPoints === 0 && guards.includes(last.by)) return 'guard'
  return isEnough ? null : 'not_enough'
}

/** Hexadecimal digits of a digest that choose a place: far more values than places, so that all are equally likely. */
const DIGITS = 12

/**
 * Returns the place of a key, 0 to 9,999. The candidate has the places below its share, so that a share that grows
 * takes nobody away from it (RO2).
 */
export const placeOf = (salt: string, key: string): number =>
  Number.parseInt(digestOf(`${salt}:${key}`).slice(0, DIGITS), 16) % ROLLOUT_LIMITS.whole

/**
 * Returns the side of a conversation that starts or asks again. One that runs either version stays with it, whatever
 * the share is now (RO3).
 */
export function sideOf(
  rollout: Pick<Rollout, 'base' | 'candidate' | 'key' | 'salt' | 'shares'>,
  { conversationId, runs, visitor }: Participant,
): RolloutSide {
  if (runs === rollout.candidate.deploymentId) return 'candidate'
  if (runs === rollout.base.deploymentId) return 'base'
  const key = rollout.key === 'visitor' ? (visitor ?? conversationId) : conversationId
  return placeOf(rollout.salt, key) < shareOf(rollout) ? 'candidate' : 'base'
}

/** Reports whether a rollout chooses the side of a conversation: one that runs either version had its side before. */
export const isPlacedBy = (
  { base, candidate }: Pick<Rollout, 'base' | 'candidate'>,
  { runs }: Pick<Participant, 'runs'>,
): boolean => runs !== candidate.deploymentId && runs !== base.deploymentId

/** Returns the rollout with another share for its candidate. */
export const withShare = <T extends Pick<Rollout, 'shares'>>(rollout: T, share: RolloutShare): T => ({
  ...rollout,
  shares: [...rollout.shares, share].slice(-ROLLOUT_LIMITS.shares),
})

/**
 * Reports whether a rule that fires takes the candidate's share away: it watches the rollout, and has begun to fire
 * since the share was set. Whoever raises it while the rule fires has decided so (RO9).
 */
export const isParkedBy = (
  rollout: Pick<Rollout, 'end' | 'guards' | 'shares'>,
  rule: { readonly id: AlertRuleId; readonly since: number | null },
): boolean =>
  rollout.end === null &&
  shareOf(rollout) > 0 &&
  rollout.guards.includes(rule.id) &&
  (rule.since ?? 0) >= (rollout.shares.at(-1)?.at ?? 0)
