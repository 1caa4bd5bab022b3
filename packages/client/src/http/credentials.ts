import { globals } from '../messaging/globals.ts'
import { ApiError } from './api-error.ts'

/** A key or token, or what answers with the one to use now, such as an access token that is renewed in time. */
export type Secret = string | (() => string | Promise<string>)

/** What opens the families of calls. Only those that are used have to be given. */
export interface Credentials {
  /** An API key of kind `workspace`: agents, debug chats, webhooks, alerts. */
  readonly workspaceKey?: Secret
  /** An API key of kind `project`: conversations. */
  readonly projectKey?: Secret
  /** An API key of kind `external_events`. */
  readonly externalEventsKey?: Secret
  /** An API key of kind `desk`: live agents. */
  readonly deskKey?: Secret
  /** An API key of kind `operator`. */
  readonly operatorKey?: Secret
  /** A messaging connector's token, for access tokens of visitors. */
  readonly connectorToken?: Secret
  /** A host of that connector. @default the page's */
  readonly connectorHost?: string
  /** A visitor's access token. */
  readonly accessToken?: Secret
}

/** The headers of a credential, and its text. */
export interface Presented {
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
}

function headersOf(kind: string, secret: string, host: string | undefined): Presented['headers'] {
  if (kind === 'operatorKey' || kind === 'accessToken') return { authorization: `Bearer ${secret}` }
  if (kind !== 'connectorToken') return { 'x-api-key': secret }
  return { 'x-token': secret, 'x-host': host ?? globals().location?.hostname ?? '' }
}

/** The credential for a call. @throws ApiError `NO_CREDENTIAL` */
export async function present(
  operation: string,
  credentials: Credentials,
  kind: Exclude<keyof Credentials, 'connectorHost'>,
): Promise<Presented> {
  const given = credentials[kind]
  const secret = typeof given === 'function' ? await given() : given
  // A header that cannot be sent would be named, whole, by the error of `fetch`.
  if (typeof secret === 'string' && /^[\x21-\x7e]+$/.test(secret))
    return { headers: headersOf(kind, secret, credentials.connectorHost), secret }
  const wrong = given ? 'is unusable. It must be a text of visible ASCII' : 'is missing'
  throw new ApiError(operation, { code: 'NO_CREDENTIAL', message: `\`credentials.${kind}\` ${wrong}.` })
}
