import { globals } from '../messaging/globals.ts'
import { ApiError } from './api-error.ts'

/** A key or token, or what answers with the one to use now, such as an access token that is renewed in time. */
export type Secret = string | (() => string | Promise<string>)

/** Credentials of the families of calls. Only those in use have to be given. */
export interface Credentials {
  /** An API key of kind `workspace`: agents, debug chats, webhooks, alerts. */
  readonly workspaceKey?: Secret
  /** An API key of kind `project`: conversations, turn-based chats. */
  readonly projectKey?: Secret
  /** An API key of kind `external_events`. */
  readonly externalEventsKey?: Secret
  /** An API key of kind `desk`: live agents. */
  readonly deskKey?: Secret
  /** An API key of kind `operator`. */
  readonly operatorKey?: Secret
  /** A messaging connector's token: access tokens of visitors, turn-based chats. */
  readonly connectorToken?: Secret
  /** A host of that connector. @default the page's */
  readonly connectorHost?: string
  /** A project or workspace key for texts and the earlier calls: `createTextsApi` and `createCallsApi` alone. */
  readonly authToken?: Secret
  /** A visitor's access token. */
  readonly accessToken?: Secret
}

/** A credential's name. */
export type Kind = Exclude<keyof Credentials, 'connectorHost'>

/** The headers of credentials, and their texts. */
export interface Presented {
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

function headersOf(kind: Kind, secret: string, host: string | undefined): Presented['headers'] {
  if (kind === 'connectorToken')
    return { 'x-token': secret, 'x-host': host ?? globals().location?.hostname ?? '' }
  return ['operatorKey', 'accessToken'].includes(kind)
    ? { authorization: `Bearer ${secret}` }
    : { 'x-api-key': secret }
}

/** Returns the credentials for a call. @throws ApiError `NO_CREDENTIAL` */
export async function present(
  operation: string,
  credentials: Credentials,
  kinds: readonly Kind[],
): Promise<Presented> {
  const headers = {}
  const secrets: string[] = []
  for (const kind of kinds) {
    const given = credentials[kind]
    const secret = typeof given === 'function' ? await given() : given
    // A header that cannot be sent would be named, whole, by the error of `fetch`.
    if (typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret)) {
      const message = `\`credentials.${kind}\` is ${given ? 'no text of visible ASCII' : 'missing'}.`
      throw new ApiError(operation, { code: 'NO_CREDENTIAL', message })
    }
    Object.assign(headers, headersOf(kind, secret, credentials.connectorHost))
    secrets.push(secret)
  }
  return { headers, secrets }
}
