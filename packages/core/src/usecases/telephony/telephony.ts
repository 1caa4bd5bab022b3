import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type PhoneNumber,
  phoneNumberSchema,
  phoneNumbersSchema,
} from '../../domain/telephony/phone-number.ts'
import type { NumberReservation, PooledNumber } from '../../domain/telephony/pooled-number.ts'
import type { Context } from '../context.ts'
import { agentId, text } from '../shared/arguments.ts'
import { jsonObject } from '../shared/json-object.ts'
import { claimNumbers } from './claim-numbers.ts'
import { addToPool, findReservation, listPool, removeFromPool, reserveNumber } from './number-pool.ts'
import {
  assignNumber,
  deleteNumber,
  findNumber,
  importNumbers,
  listNumbers,
  type NumbersAmong,
  numbersAmong,
  type PhoneNumberQuery,
  type PhoneNumbersInput,
  phoneNumberQuerySchema,
  phoneNumbersInputSchema,
  withdrawNumber,
} from './phone-numbers.ts'
import {
  type ConnectorsAmong,
  connectorIdsSchema,
  connectorOf,
  connectorsAmong,
} from './telephony-connectors.ts'

/**
 * An agent's phone numbers, which of its telephony connectors answers each (contract/agents.md, Phone numbers), and the
 * pool from which its numbers are reserved (contract/number-reservation.md).
 * Every call that is given a number throws PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT for one that is not in E.164.
 */
export interface Telephony {
  /** Returns those of the connectors that the agent has, at most 100. @throws SCHEMA_VALIDATION_FAILED */
  connectorsAmong(agentId: AgentId, ids: readonly ConnectorId[]): Promise<ConnectorsAmong>
  /** Returns the agent's connector that answers the number. @throws CONNECTORS_NOT_FOUND */
  connectorOf(agentId: AgentId, phoneNumber: string): Promise<TelephonyConnector>
  /**
   * Gives an agent phone numbers and other senders, all or none. Only for the host: an account uses `claimNumbers`.
   *
   * @throws PROJECT_NOT_FOUND, PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST, SCHEMA_VALIDATION_FAILED
   * @throws PHONE_NUMBERS_ALREADY_EXISTS when an agent of any account has one of them
   * @throws PHONE_NUMBERS_LIMIT when the agent would have more than `Settings.phoneNumbers`
   */
  importNumbers(agentId: AgentId, input: PhoneNumbersInput): Promise<readonly PhoneNumber[]>
  /**
   * Gives an agent phone numbers that its account asks for, if `verifyNumber` confirms that they are its own (TP37).
   * All other numbers get the same refusal, whether or not another account has them.
   *
   * @throws USER_ACCESS_FORBIDDEN for numbers that are not the account's; else as `importNumbers`
   */
  claimNumbers(agentId: AgentId, input: PhoneNumbersInput): Promise<readonly PhoneNumber[]>
  /**
   * Removes a number or another sender from its agent, of any account, and returns it.
   *
   * @throws PHONE_NUMBERS_NOT_FOUND
   */
  withdrawNumber(phoneNumber: string): Promise<PhoneNumber>
  /** Lists the agent's phone numbers, in their order. */
  numbers(agentId: AgentId, query?: PhoneNumberQuery): Promise<readonly PhoneNumber[]>
  /** Returns those of the numbers that the agent has, at most 100. @throws SCHEMA_VALIDATION_FAILED */
  numbersAmong(agentId: AgentId, phoneNumbers: readonly string[]): Promise<NumbersAmong>
  /** Returns a number of the agent. @throws PHONE_NUMBERS_NOT_FOUND */
  number(agentId: AgentId, phoneNumber: string): Promise<PhoneNumber>
  /**
   * Lets a connector answer the number, whose environment becomes the connector's.
   * @throws PHONE_NUMBERS_NOT_FOUND, PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST, WRITE_CONFLICT
   */
  assignNumber(agentId: AgentId, phoneNumber: string, connectorId: ConnectorId): Promise<PhoneNumber>
  /** Removes it. @throws PHONE_NUMBERS_NOT_FOUND */
  deleteNumber(agentId: AgentId, phoneNumber: string): Promise<void>
  /**
   * Adds phone numbers, at most 100, to the pool from which the agent's are reserved, all or none.
   *
   * @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws PHONE_NUMBERS_ALREADY_EXISTS when a pool has one of them, of any account
   * @throws PHONE_NUMBERS_LIMIT when the pool would have more than `Settings.pooledNumbers`
   */
  addToPool(agentId: AgentId, phoneNumbers: readonly string[]): Promise<readonly PooledNumber[]>
  /** Lists the agent's pool, in the order of its numbers. @throws PROJECT_NOT_FOUND */
  pool(agentId: AgentId): Promise<readonly PooledNumber[]>
  /** Removes a number from the pool that has it; it is reserved no more. @throws PHONE_NUMBERS_NOT_FOUND */
  removeFromPool(phoneNumber: string): Promise<void>
  /**
   * Reserves for `Settings.reservation` the number of the agent's pool that has been free the longest. No other call
   * gets it until then (TP21).
   * @throws DNI_ROUTE_NOT_FOUND when no number of the pool is free
   * @throws SCHEMA_VALIDATION_FAILED for attributes that are not JSON, or too large
   */
  reserve(agentId: AgentId, attributes: JsonObject): Promise<NumberReservation>
  /** Returns the number's reservation, for a runtime that is called or texted there. Null without one (TP23). */
  reservationOf(phoneNumber: string): Promise<NumberReservation | null>
}

const { call, act } = callsWith<Context>()
const phoneNumber = ['phone number', phoneNumberSchema] as const
const phoneNumbers = ['list of phone numbers', phoneNumbersSchema] as const

/** The implementations of the calls about phone numbers. */
export const telephonyCalls = {
  connectorsAmong: call(() => [agentId, ['list of connectors', connectorIdsSchema]], connectorsAmong),
  connectorOf: call(() => [agentId, phoneNumber], connectorOf),
  importNumbers: act(() => [agentId, phoneNumbersInputSchema], importNumbers),
  claimNumbers: act(() => [agentId, phoneNumbersInputSchema], claimNumbers),
  withdrawNumber: act(() => [phoneNumber], withdrawNumber),
  numbers: call(() => [agentId, phoneNumberQuerySchema], listNumbers),
  numbersAmong: call(() => [agentId, phoneNumbers], numbersAmong),
  number: call(() => [agentId, phoneNumber], findNumber),
  assignNumber: act(() => [agentId, phoneNumber, ['connectorId', text]], assignNumber),
  deleteNumber: act(() => [agentId, phoneNumber], deleteNumber),
  addToPool: act(() => [agentId, phoneNumbers], addToPool),
  pool: call(() => [agentId], listPool),
  removeFromPool: act(() => [phoneNumber], removeFromPool),
  reserve: call(() => [agentId, ['attributes', jsonObject]], reserveNumber),
  reservationOf: call(() => [phoneNumber], findReservation),
} satisfies CallsOf<Telephony, Context>
