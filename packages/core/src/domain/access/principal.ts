import type { Account, ApiKey, ConnectorInfo, TelephonyConnector } from './access.ts'
import type { Person } from './person.ts'

/**
 * Who makes a request: the holder of an API key, on some routes with the token of a connector beside it, or the id of a
 * telephony connector; somebody whom the host has signed in, with the account that the request names beside its path;
 * or anyone, on routes that check a credential of their own.
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
