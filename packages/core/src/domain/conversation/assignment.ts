import type { AccountId } from '../ids.ts'
import type { DeskRoster, Offer, Passed } from './desk-roster.ts'
import { type Colleague, serves } from './desk-seat.ts'

/**
 * Modes of assigning visitors: to the live agent whose last offer is the longest ago, or to the one with the fewest
 * visitors. A queue without an assignment is for anyone.
 */
export const ASSIGNMENT_MODES = ['round_robin', 'least_busy'] as const
export type AssignmentMode = (typeof ASSIGNMENT_MODES)[number]

/** The way in which waiting visitors of a queue are assigned to live agents. */
export interface QueueAssignment {
  readonly accountId: AccountId
  readonly queueName: string
  readonly mode: AssignmentMode
  /**
   * The skills that a live agent must have to be assigned a visitor of the queue. `{language}` stands for the visitor's
   * language.
   */
  readonly skills: readonly string[]
  readonly version: number
}

/** A visitor who waits. */
export interface WaitingVisitor {
  readonly handoffId: string
  readonly queueName: string
  /** A tag of BCP 47. Null if it is not known. */
  readonly language: string | null
}

/** The skill of an assignment that is the visitor's language. */
const LANGUAGE = '{language}'

/** The facts about a desk by which visitors are assigned. */
export interface AssignmentView {
  /** The visitors who wait, in the order of their arrival. */
  readonly waiting: readonly WaitingVisitor[]
  /** The live agents at the desk. */
  readonly colleagues: readonly Colleague[]
  /** The number of visitors whom each live agent has, by id. */
  readonly talks: ReadonlyMap<string, number>
  /** The most visitors of a live agent whose seat says nothing of it. */
  readonly talksAtOnce: number
  readonly assignments: readonly Pick<QueueAssignment, 'queueName' | 'mode' | 'skills'>[]
  readonly now: number
  /** The time for which a visitor is offered to one live agent, milliseconds. */
  readonly offerTime: number
}

/** The most live agents whose turns are remembered; the newest ones stay. */
const MOST_TURNS = 1_000

type Rules = ReadonlyMap<string, AssignmentView['assignments'][number]>

/** Reports whether some skills have a language: `de` has `de-AT`, and `de-AT` alone does not have `de`. */
function speaks(skills: readonly string[], language: string): boolean {
  const tag = language.toLowerCase()
  return skills.some(skill => tag === skill.toLowerCase() || tag.startsWith(`${skill.toLowerCase()}-`))
}

/** Reports whether a live agent has a skill that an assignment asks for. A language that is not known asks for none. */
const hasSkill = ({ skills }: Colleague, skill: string, language: string): boolean =>
  skill === LANGUAGE ? language === '' || speaks(skills, language) : skills.includes(skill)

/** Returns the live agents who may be offered a visitor now. */
function ableOf(view: AssignmentView, rules: Rules, away: ReadonlySet<string>) {
  const present = view.colleagues.filter(({ liveAgent, talksAtOnce }) => {
    const talks = view.talks.get(liveAgent.id) ?? 0
    return !away.has(liveAgent.id) && talks < (talksAtOnce ?? view.talksAtOnce)
  })
  const byNeed = new Map<string, readonly Colleague[]>()
  return ({ language, queueName }: WaitingVisitor): readonly Colleague[] => {
    const rule = rules.get(queueName)
    const spoken = rule?.skills.includes(LANGUAGE) === true ? (language ?? '') : ''
    const need = JSON.stringify([queueName, spoken])
    const known = byNeed.get(need)
    if (known !== undefined) return known
    const able = present.filter(
      one =>
        rule !== undefined &&
        serves(one, queueName) &&
        rule.skills.every(skill => hasSkill(one, skill, spoken)),
    )
    byNeed.set(need, able)
    return able
  }
}

/** Returns who has let which waiting visitor pass: those of before, and those whose offer has ended just now. */
function passedOf(
  roster: DeskRoster,
  waiting: ReadonlyMap<string, WaitingVisitor>,
  now: number,
): readonly Passed[] {
  const passed = new Map(roster.passed.map(one => [one.handoffId, one.liveAgentIds]))
  for (const { handoffId, liveAgent, until } of roster.offers)
    if (until <= now) passed.set(handoffId, [...(passed.get(handoffId) ?? []), liveAgent.id])
  return [...passed]
    .filter(([handoffId]) => waiting.has(handoffId))
    .map(([handoffId, liveAgentIds]) => ({ handoffId, liveAgentIds }))
}

/** Returns the first of the live agents by the mode: by visitors where that counts, then by turn, then by id. */
function firstOf(
  candidates: readonly Colleague[],
  isLeastBusy: boolean,
  talks: ReadonlyMap<string, number>,
  turns: readonly string[],
): Colleague | null {
  const rank = ({ liveAgent: { id } }: Colleague) =>
    [isLeastBusy ? (talks.get(id) ?? 0) : 0, turns.indexOf(id)] as const
  let best: Colleague | null = null
  for (const one of candidates) {
    if (best === null) best = one
    else {
      const [[talksOfOne, turnOfOne], [talksOfBest, turnOfBest]] = [rank(one), rank(best)]
      if (talksOfOne < talksOfBest || (talksOfOne === talksOfBest && turnOfOne < turnOfBest)) best = one
    }
  }
  return best
}

/**
 * Returns the roster with the offers that hold now. The same roster if nothing changes.
 *
 * An offer stays while its visitor waits, its time lasts, and its live agent is able: at the desk, not away, with room,
 * and with the skills. A visitor without an offer is offered to a live agent who is able, has no other offer, and has
 * not let this visitor pass. If there is none, the visitor waits for anyone (DK611 to DK613).
 */
export function assigned(roster: DeskRoster, view: AssignmentView): DeskRoster {
  const { now, offerTime, talks } = view
  const rules: Rules = new Map(view.assignments.map(one => [one.queueName, one]))
  const waiting = new Map(view.waiting.map(visitor => [visitor.handoffId, visitor]))
  const able = ableOf(view, rules, new Set(roster.away.map(({ liveAgentId }) => liveAgentId)))
  const passed = passedOf(roster, waiting, now)
  const kept = roster.offers.filter(({ handoffId, liveAgent, until }) => {
    const visitor = waiting.get(handoffId)
    return (
      until > now && visitor !== undefined && able(visitor).some(one => one.liveAgent.id === liveAgent.id)
    )
  })
  const offers = [...kept]
  let turns = roster.turns
  const offered = new Set(offers.map(({ handoffId }) => handoffId))
  const busy = new Set(offers.map(({ liveAgent }) => liveAgent.id))
  const passedBy = new Map(passed.map(one => [one.handoffId, one.liveAgentIds]))
  for (const visitor of view.waiting) {
    const { handoffId, queueName } = visitor
    if (offered.has(handoffId)) continue
    const candidates = able(visitor).filter(
      ({ liveAgent: { id } }) => !busy.has(id) && !passedBy.get(handoffId)?.includes(id),
    )
    const next = firstOf(candidates, rules.get(queueName)?.mode === 'least_busy', talks, turns)
    if (next === null) continue
    const { id, name } = next.liveAgent
    offers.push({ handoffId, liveAgent: { id, name }, until: now + offerTime })
    busy.add(id)
    turns = [...turns.filter(one => one !== id), id].slice(-MOST_TURNS)
  }
  const isSame = kept.length === roster.offers.length && offers.length === kept.length
  return isSame && JSON.stringify(passed) === JSON.stringify(roster.passed)
    ? roster
    : { ...roster, offers, passed, turns }
}

/**
 * Returns the roster after a live agent has declined a visitor who is offered to them: the offer is over, and the live
 * agent is not offered this visitor again (DK613). The same roster if they have no such offer.
 */
export function declined(
  roster: DeskRoster,
  handoffId: string,
  liveAgentId: string,
  now: number,
): DeskRoster {
  if (offerOf(roster, handoffId, now)?.liveAgent.id !== liveAgentId) return roster
  const before = roster.passed.find(one => one.handoffId === handoffId)?.liveAgentIds ?? []
  return {
    ...roster,
    offers: roster.offers.filter(one => one.handoffId !== handoffId),
    passed: [
      ...roster.passed.filter(one => one.handoffId !== handoffId),
      { handoffId, liveAgentIds: [...before, liveAgentId] },
    ],
  }
}

/** Returns the time at which the next offer ends, milliseconds; null without offers. */
export const nextOfferEnd = ({ offers }: Pick<DeskRoster, 'offers'>): number | null =>
  offers.length === 0 ? null : Math.min(...offers.map(({ until }) => until))

/** Returns the offer of a visitor that holds at that moment; null for none. */
export const offerOf = (
  { offers }: Pick<DeskRoster, 'offers'>,
  handoffId: string,
  now: number,
): Offer | null => offers.find(one => one.handoffId === handoffId && one.until > now) ?? null
