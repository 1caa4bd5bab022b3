import type { AccessStore, VoiceStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { accessStatements } from './access-statements.ts'
import { accountMethods } from './accounts.ts'
import { apiKeyMethods } from './api-keys.ts'
import { audioCacheMethods } from './audio-cache.ts'
import { connectorMethods } from './connectors.ts'
import { numberPoolMethods } from './number-pool.ts'
import { phoneNumberMethods } from './phone-numbers.ts'
import { tokenKeyMethods } from './token-keys.ts'

/** Accounts and credentials in PostgreSQL. */
export function createAccessStore(session: Session, voices: VoiceStore): AccessStore {
  const run = accessStatements(session.define)
  return {
    accounts: accountMethods(run),
    apiKeys: apiKeyMethods(run),
    connectors: connectorMethods(session, run),
    tokenKeys: tokenKeyMethods(run),
    phoneNumbers: phoneNumberMethods(session),
    numberPool: numberPoolMethods(session),
    voices,
    audioCache: audioCacheMethods(session),
  }
}
