import type { CredentialFilter } from '@colloquy/core/store'
import { behind } from '../database/created-order.ts'
import type { CredentialConditions } from './access-statements.ts'

/** A row as a value; null for none. */
export const mapped = <Row, Value>(row: Row | undefined, map: (row: Row) => Value): Value | null =>
  row === undefined ? null : map(row)

/** A filter as a statement takes it. */
export const conditionsOf = (filter: CredentialFilter, limit: number): CredentialConditions => ({
  ...behind(filter, limit),
  accountId: filter.accountId ?? null,
  agentId: filter.agentId ?? null,
})

/** The list whose index leaves the fewest rows to look at. */
export const listFor = <List>(
  { accountId, agentId }: CredentialFilter,
  all: List,
  ofAccount: List,
  ofAgent: List,
): List => (agentId === undefined ? (accountId === undefined ? all : ofAccount) : ofAgent)
