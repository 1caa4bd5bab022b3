import type { Account, ApiKey, ConnectorInfo, TelephonyConnector } from './access.ts'
import type { Person } from './person.ts'

/**
 * The caller of a request:
 * - the holder of an API key, on some routes also with the token of a connector or the id of a telephony connector;
 * - a person whom the host has signed in, with the account that the request names beside its path;
 * - anyone, on routes that check a credential of their own.
 */
export type Principal =
  | {
      readonly type: 'api_key'
      readonly key: ApiKey
      readonly connector?: ConnectorInfo
      readonly line?: TelephonyConnector
    }
  | { readonly type: 'person'; readonly person: Person; readonly account: Account | null }
  | { readonly type: 'anyone' }
