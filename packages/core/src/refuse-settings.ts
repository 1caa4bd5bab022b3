import { PlatformError } from './errors.ts'

/** A word that the name of a header or an event can hold. */
const WORD = /^[A-Za-z0-9_-]{1,50}$/

/** With it the AI agent's events would have the names of the live agent's. */
const TAKEN = /^live$/i

const refuse = (message: string): never => {
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** Refuses words that no header's name or event's can hold (HT39). @throws SCHEMA_VALIDATION_FAILED */
export function refuseBrand(
  brand: Readonly<Record<'events' | 'headers', unknown>>,
  nameOf: (word: 'events' | 'headers') => string,
): void {
  for (const which of ['events', 'headers'] as const) {
    const word = brand[which]
    if (typeof word !== 'string' || !WORD.test(word))
      refuse(`${nameOf(which)} must be 1 to 50 letters, digits, "_" and "-", not ${JSON.stringify(word)}.`)
    if (which === 'events' && TAKEN.test(String(word)))
      refuse(`${nameOf(which)} must not be "${word}" for events, where it names the live agent's.`)
  }
}

const isMapOfNames = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(name => typeof name === 'string')

/** Refuses hosts that leave out one of `groups`, or name something else than hosts (HT40). @throws SCHEMA_VALIDATION_FAILED */
export function refuseHosts(hosts: object | null, groups: readonly string[]): void {
  if (hosts === null) return
  for (const group of groups)
    if (!isMapOfNames(Reflect.get(hosts, group)))
      refuse(`hosts.${group} must name a host for each region or cluster; {} is none.`)
}

/** Refuses what is none of the words that a setting knows (HT40). @throws SCHEMA_VALIDATION_FAILED */
export function refuseWord(name: string, word: unknown, known: readonly string[]): void {
  if (!known.some(other => other === word))
    refuse(`${name} must be ${known.map(other => `"${other}"`).join(' or ')}, not ${JSON.stringify(word)}.`)
}

/** Refuses a switch that is neither on nor off (HT40). @throws SCHEMA_VALIDATION_FAILED */
export function refuseSwitch(name: string, value: unknown): void {
  if (typeof value !== 'boolean') refuse(`${name} must be true or false, not ${JSON.stringify(value)}.`)
}

/** Refuses what is neither a function nor null. @throws SCHEMA_VALIDATION_FAILED */
export function refuseFunction(name: string, value: unknown): void {
  if (value !== null && typeof value !== 'function') refuse(`${name} must be a function, or null for none.`)
}
