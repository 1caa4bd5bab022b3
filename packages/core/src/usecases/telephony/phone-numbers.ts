import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { changedFields } from '../../domain/audit/details.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type PhoneNumber,
  phoneNumbersSchema,
  toPhoneNumber,
  toSender,
} from '../../domain/telephony/phone-number.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { refuseOrphan } from '../access/refuse-orphan.ts'
import { auditEntry, type Subject } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'

/** The schema of {@link PhoneNumbersInput}. */
export const phoneNumbersInputSchema = z.object({
  /**
   * At most 100: E.164, or other senders of texts as carriers write them, which the host alone can give an agent.
   */
  phoneNumbers: phoneNumbersSchema,
  /** The environment of the connector, if one is given. @default `live` */
  environment: z.enum(ENVIRONMENTS).exactOptional(),
  /** The telephony connector that answers them. @default none */
  connectorId: z.string().max(200).exactOptional(),
})

/** Phone numbers that an agent is to have. */
export type PhoneNumbersInput = InputOf<typeof phoneNumbersInputSchema>

/** The schema of {@link PhoneNumberQuery}. */
export const phoneNumberQuerySchema = z.object({
  /** Only numbers that this connector answers. */
  connectorId: z.string().exactOptional(),
})

/** The filter of an agent's phone numbers. */
export type PhoneNumberQuery = InputOf<typeof phoneNumberQuerySchema>

/** The requested numbers that an agent has, in the order of the request. */
export interface NumbersAmong {
  readonly found: readonly PhoneNumber[]
  readonly notFound: readonly string[]
}

/** Numbers that are read at a time. */
const PAGE = 1_000

/** @throws PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT */
export async function checkNumber(given: string): Promise<string> {
  const number = await toPhoneNumber(given)
  if (number !== null) return number
  throw new PlatformError(
    'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT',
    `The phone number "${given}" is not valid: it must be in E.164, for example +442079460018.`,
    { body: { about: [given] } },
  )
}

/** @throws PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT */
async function checkSender(given: string): Promise<string> {
  const sender = await toSender(given)
  if (sender !== null) return sender
  throw new PlatformError(
    'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT',
    `The phone number "${given}" is not valid: it must be in E.164, for example +442079460018, a short code, an alphanumeric sender, or the carrier's id of a sender.`,
    { body: { about: [given] } },
  )
}

const noNumber = () => new PlatformError('PHONE_NUMBERS_NOT_FOUND', 'The agent has no such phone number.')

const conflict = () =>
  new PlatformError('WRITE_CONFLICT', 'The phone number is being changed too often. Try again.')

const subjectOf = ({ accountId, agentId, number }: PhoneNumber, details: JsonObject): Subject => ({
  ...{ accountId, agentId, details },
  resourceId: number,
})

const settingsOf = ({ environment, connectorId }: PhoneNumber): JsonObject => ({ environment, connectorId })

/**
 * Returns the fields that a number has from the connector that answers it. @throws
 * PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST
 */
async function answeredBy(
  { store }: Context,
  agentId: AgentId,
  id: ConnectorId,
): Promise<Pick<PhoneNumber, 'connectorId' | 'environment'>> {
  const connector = await store.access.connectors.findTelephony(id)
  if (connector !== null && connector.revokedAt === null && connector.agentId === agentId)
    return { connectorId: id, environment: connector.environment }
  throw new PlatformError(
    'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST',
    'The agent has no telephony connector of that id.',
  )
}

/**
 * Returns the error for numbers that agents have, which names them: it is for the host, and for an account about its
 * own.
 */
async function taken({ store }: Context, names: readonly string[]): Promise<PlatformError> {
  const found = await store.access.phoneNumbers.find(names.slice(0, 5))
  const held = found.map(({ agentId, number }) => `${number} (agent ${agentId})`)
  return new PlatformError(
    'PHONE_NUMBERS_ALREADY_EXISTS',
    `Agents have these phone numbers already: ${held.join(', ') || names.slice(0, 5).join(', ')}. None was imported.`,
    { body: { about: names.slice(0, 5) } },
  )
}

async function add(context: Acting, numbers: readonly PhoneNumber[], first: PhoneNumber): Promise<void> {
  const { settings, store } = context
  const names = numbers.map(({ number }) => number)
  const entry = auditEntry(context, 'phone_number.imported', {
    ...subjectOf(first, { phoneNumbers: names, ...settingsOf(first) }),
    resourceId: numbers.length === 1 ? first.number : null,
  })
  const added = await store.access.phoneNumbers.add(numbers, settings.phoneNumbers, { audit: entry })
  if (added.outcome === 'taken') throw await taken(context, added.numbers)
  if (added.outcome === 'full')
    throw new PlatformError(
      'PHONE_NUMBERS_LIMIT',
      `An agent has at most ${settings.phoneNumbers} phone numbers; none was imported.`,
    )
}

/** See `Telephony.importNumbers`. */
export async function importNumbers(
  context: Acting,
  agentId: AgentId,
  input: PhoneNumbersInput,
): Promise<readonly PhoneNumber[]> {
  const { connectorId, environment = 'live', phoneNumbers } = input
  const agent = await context.store.agents.find(agentId)
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
  const account = await findAccount(context, agent.accountId)
  const checked = await Promise.all(phoneNumbers.map(checkSender))
  const answered =
    connectorId === undefined
      ? { connectorId: null, environment }
      : await answeredBy(context, agentId, connectorId)
  const createdAt = context.clock.now()
  // One that is answered by a connector becomes so once it is there: the connector may go meanwhile.
  const numbers = checked.map(
    (number): PhoneNumber => ({
      ...{ number, accountId: account.id, agentId, createdAt },
      ...{ connectorId: null, environment: answered.environment },
    }),
  )
  const [first] = numbers
  if (first === undefined) return []
  await add(context, numbers, first)
  await refuseOrphan(context, { account, agent }, async () => {
    for (const { number } of numbers) await context.store.access.phoneNumbers.remove(agentId, number)
  })
  if (answered.connectorId === null) return numbers
  const assigned: PhoneNumber[] = []
  for (const { number } of numbers)
    assigned.push(await assignNumber(context, agentId, number, answered.connectorId))
  return assigned
}

/** See `Telephony.numbers`. */
export async function listNumbers(
  { store }: Context,
  agentId: AgentId,
  { connectorId }: PhoneNumberQuery,
): Promise<readonly PhoneNumber[]> {
  const all: PhoneNumber[] = []
  const of = connectorId === undefined ? {} : { connectorId }
  for (let last: PhoneNumber | undefined | null = null; last !== undefined; ) {
    const after: { readonly after?: string } = last === null ? {} : { after: last.number }
    const page = await store.access.phoneNumbers.list(agentId, { ...of, ...after }, PAGE)
    all.push(...page)
    last = page.length < PAGE ? undefined : page.at(-1)
  }
  return all
}

/** See `Telephony.numbersAmong`. */
export async function numbersAmong(
  { store }: Context,
  agentId: AgentId,
  numbers: readonly string[],
): Promise<NumbersAmong> {
  const known = await store.access.phoneNumbers.find(numbers)
  const own = new Map(known.filter(one => one.agentId === agentId).map(one => [one.number, one]))
  await Promise.all(numbers.filter(number => !own.has(number)).map(checkNumber))
  return {
    found: numbers.flatMap(number => own.get(number) ?? []),
    notFound: numbers.filter(number => !own.has(number)),
  }
}

/** See `Telephony.number`. */
export async function findNumber({ store }: Context, agentId: AgentId, given: string): Promise<PhoneNumber> {
  const [found] = await store.access.phoneNumbers.find([given])
  if (found?.agentId === agentId) return found
  await checkNumber(given)
  throw noNumber()
}

/** See `Telephony.assignNumber`. */
export async function assignNumber(
  context: Acting,
  agentId: AgentId,
  number: string,
  connectorId: ConnectorId,
): Promise<PhoneNumber> {
  return untilWritten(conflict, async () => {
    const before = await findNumber(context, agentId, number)
    const next = { ...before, ...(await answeredBy(context, agentId, connectorId)) }
    const changes = changedFields(settingsOf(before), settingsOf(next))
    if (Object.keys(changes).length === 0) return before
    const entry = auditEntry(context, 'phone_number.changed', subjectOf(before, { changes }))
    const written = await context.store.access.phoneNumbers.update(before, next, { audit: entry })
    return written === 'written' ? next : 'stale'
  })
}

async function remove(context: Acting, found: PhoneNumber): Promise<void> {
  const entry = auditEntry(context, 'phone_number.deleted', subjectOf(found, {}))
  if (!(await context.store.access.phoneNumbers.remove(found.agentId, found.number, { audit: entry })))
    throw noNumber()
}

/** See `Telephony.deleteNumber`. */
export async function deleteNumber(context: Acting, agentId: AgentId, given: string): Promise<void> {
  await remove(context, await findNumber(context, agentId, given))
}

/** See `Telephony.withdrawNumber`. */
export async function withdrawNumber(context: Acting, given: string): Promise<PhoneNumber> {
  const [found] = await context.store.access.phoneNumbers.find([await checkSender(given)])
  if (found === undefined)
    throw new PlatformError('PHONE_NUMBERS_NOT_FOUND', 'No agent has that phone number.')
  await remove(context, found)
  return found
}
