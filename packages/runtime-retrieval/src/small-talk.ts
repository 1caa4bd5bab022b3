import type { Case, Decision } from './decision.ts'
import { asksForPerson } from './subject.ts'
import { isOneOf, lengthAt, type Wording } from './wording.ts'

/** A message that asks for a person and for nothing else (RT7). */
export const person = ({ asked, matches, rules }: Case): Decision | null =>
  asksForPerson(asked, rules.wording) ? { type: 'person', near: matches } : null

/** Returns the word that the answer before was wrong; null for other messages (RT19). */
export function corrected({ asked, rules }: Case): Decision | null {
  const { corrections, fillers, no } = rules.wording
  return isOneOf(asked, corrections, [...fillers, ...no]) ? { type: 'misunderstood' } : null
}

/** Greetings, thanks and the like, and signs alone; null for other messages (RT19). */
export function smallTalk({ asked, rules }: Case): Decision | null {
  if (asked.length === 0) return { type: 'small_talk', says: rules.wording.phrases.silence }
  return saidTo(asked, rules.wording)
}

/** Returns the same in another language that the runtime knows, answered in it (RT19). */
export function foreignSmallTalk({ asked, rules }: Case): Decision | null {
  for (const wording of rules.others?.() ?? []) {
    const said = saidTo(asked, wording)
    if (said !== null) return said
  }
  return null
}

function saidTo(asked: readonly string[], { smallTalk: kinds, fillers }: Wording): Decision | null {
  let last: { readonly kind: number; readonly says: string } | null = null
  for (let at = 0; at < asked.length; ) {
    const lengths = kinds.map(({ to }) => lengthAt(asked, at, to))
    const length = Math.max(0, ...lengths)
    const step = length > 0 ? length : lengthAt(asked, at, fillers)
    if (step === 0) return null
    at += step
    // The last kind that it holds: "Hello, how are you?", "Bye and thanks".
    const kind = length > 0 ? lengths.lastIndexOf(length) : -1
    const says = kinds[kind]?.says
    if (says !== undefined && kind > (last?.kind ?? -1)) last = { kind, says }
  }
  return last === null ? null : { type: 'small_talk', says: last.says }
}
