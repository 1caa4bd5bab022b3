import { PlatformError } from './errors.ts'

/** It stands in the name of a header, and in those of events. */
const BRAND = /^[A-Za-z0-9_-]{1,50}$/

const refuse = (message: string): never => {
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** Refuses a brand that no header's name can hold (HT39). @throws SCHEMA_VALIDATION_FAILED */
export function refuseBrand(brand: unknown): void {
  if (typeof brand !== 'string' || !BRAND.test(brand))
    refuse(`brand must be 1 to 50 letters, digits, "_" and "-", not ${JSON.stringify(brand)}.`)
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

/**
 * Refuses a setting that is no number of zero or more where its default is one (HT40). Null passes for those of `nullable`;
 * groups of settings that are checked elsewhere are not looked into.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function refuseNumbers(
  settings: object,
  defaults: object,
  except: { readonly nullable: readonly string[]; readonly elsewhere: readonly string[] },
  group = '',
): void {
  for (const [field, normal] of Object.entries(defaults)) {
    const name = `${group}${field}`
    const value: unknown = Reflect.get(settings, field)
    if (except.elsewhere.includes(name)) continue
    if (typeof normal === 'object' && typeof value === 'object' && normal !== null && value !== null)
      refuseNumbers(value, normal, except, `${name}.`)
    if (typeof normal !== 'number' || (value === null && except.nullable.includes(name))) continue
    if (!(typeof value === 'number' && value >= 0))
      refuse(
        `${name} must be a number, zero or more, not ${typeof value === 'number' ? value : typeof value}.`,
      )
  }
}
