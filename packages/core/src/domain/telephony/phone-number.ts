import * as z from 'zod'
import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, ConnectorId } from '../ids.ts'

/**
 * A phone number of an agent, or another sender of texts that the host has given it. No two agents have the same one.
 */
export interface PhoneNumber {
  /**
   * E.164, for example `+442079460018`. For other senders: a short code, an alphanumeric sender, or the carrier's id of
   * a messaging service or an RCS sender.
   */
  readonly number: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** The environment of its connector, if it has one. */
  readonly environment: Environment
  /** The telephony connector that answers it; null for none. */
  readonly connectorId: ConnectorId | null
  readonly createdAt: number
}

/** The most that one call names, of numbers or of connectors. */
export const MAX_BATCH = 100

/** A candidate for a phone number. Nothing longer is one. */
export const phoneNumberSchema = z.string().max(100)

/** The numbers of one call, each once. */
export const phoneNumbersSchema = z
  .array(phoneNumberSchema)
  .min(1)
  .max(MAX_BATCH)
  .transform(numbers => [...new Set(numbers)])

/** The E.164 form of a number. {@link toPhoneNumber} checks whether its country has such numbers. */
export const E164 = /^\+[1-9]\d{1,14}$/

/** The carriers' forms of a short code, and of a sender of letters. */
const SHORT_CODE = /^\d{3,8}$/
const ALPHANUMERIC = /^[\w &+.-]{1,11}$/

/** Reports whether it is a number that texts come from and go to, as a telephone's or a short code's are. */
export const isTextNumber = (given: string): boolean => E164.test(given) || SHORT_CODE.test(given)

/** Reports whether a text can come from it: a number, or an alphanumeric sender such as `AMAZON`. */
export const isTextAddress = (given: string): boolean =>
  isTextNumber(given) || (ALPHANUMERIC.test(given) && /[A-Za-z]/.test(given))

/**
 * Returns a phone number as E.164; null for what is not one. Without a country nothing but E.164 is taken, letter for
 * letter; with one (ISO 3166-1 alpha-2) national and spaced spellings as well. Its length must be one that the country
 * has; that somebody answers it is not known.
 */
export async function toPhoneNumber(given: string, country?: string): Promise<string | null> {
  if (country === undefined && !E164.test(given)) return null
  const { numberIn } = await import('./numbering.ts')
  const number = numberIn(given, country)
  return country === undefined && number !== given ? null : number
}

/** The carriers' form of ids of messaging services and RCS senders, and of senders of letters. */
const SENDER = /^[\w&](?:[\w &.:-]{0,98}[\w&.])?$/

/**
 * Returns a phone number in E.164, or another sender of texts as its carrier writes it; null for what is neither.
 * Digits alone are a short code: a number in its country's own spelling is no sender.
 */
export async function toSender(given: string): Promise<string | null> {
  if (SHORT_CODE.test(given)) return given
  if (SENDER.test(given) && /[A-Za-z]/.test(given)) return given
  return toPhoneNumber(given)
}
