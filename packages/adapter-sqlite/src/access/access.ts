import type { AccessStore, VoiceStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { accessStatements } from './access-statements.ts'
import { accountMethods } from './accounts.ts'
import { apiKeyMethods } from './api-keys.ts'
import { audioCacheMethods } from './audio-cache.ts'
import { connectorMethods } from './connectors.ts'
import { numberPoolMethods } from './number-pool.ts'
import { phoneNumberMethods } from './phone-numbers.ts'
import { tokenKeyMethods } from './token-keys.ts'

/**
 * Accounts and credentials in SQLite. Arguments are read before a call returns, so later changes to them change
 * nothing.
 */
export function createAccessStore(session: Session, keeper: OutboxKeeper, voices: VoiceStore): AccessStore {
  const run = accessStatements(session.define)
  return {
    accounts: accountMethods(session, run, keeper),
    apiKeys: apiKeyMethods(session, run, keeper),
    connectors: connectorMethods(session, run, keeper),
    tokenKeys: tokenKeyMethods(session, run, keeper),
    phoneNumbers: phoneNumberMethods(session, keeper),
    numberPool: numberPoolMethods(session, keeper),
    voices,
    audioCache: audioCacheMethods(session, keeper),
  }
}
