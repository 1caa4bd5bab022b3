import type { AccessStore } from '@colloquy/core/store'
import type { AuditTrail } from '../audit/audit.ts'
import type { Session } from '../database/session.ts'
import { accessStatements } from './access-statements.ts'
import { accountMethods } from './accounts.ts'
import { apiKeyMethods } from './api-keys.ts'
import { connectorMethods } from './connectors.ts'
import { tokenKeyMethods } from './token-keys.ts'

/** Accounts and credentials in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createAccessStore(session: Session, trail: AuditTrail): AccessStore {
  const run = accessStatements(session.define)
  return {
    accounts: accountMethods(session, run, trail),
    apiKeys: apiKeyMethods(session, run, trail),
    connectors: connectorMethods(session, run, trail),
    tokenKeys: tokenKeyMethods(session, run, trail),
  }
}
