import { createHash, createHmac } from 'node:crypto'

/** Credentials of an S3-compatible store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. @default none */
  readonly sessionToken?: string
}

/** A request to sign. */
export interface RequestToSign {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly region: string
  readonly credentials: S3Credentials
  readonly at: Date
}

const hex = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string): Uint8Array =>
  createHmac('sha256', key).update(text).digest()

const SERVICE = 's3'
const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Percent-encodes everything but unreserved characters (RFC 3986). */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')

/**
 * Returns the headers of a request with a signature of AWS, version 4, over all of them and the body. The path of the
 * address is taken as it is encoded there.
 */
export function signedHeaders(request: RequestToSign): Readonly<Record<string, string>> {
  const { at, body, credentials, method, region, url } = request
  const moment = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = moment.slice(0, 8)
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const headers: Record<string, string> = {
    ...request.headers,
    ...{ host: url.host, 'x-amz-content-sha256': hex(body), 'x-amz-date': moment },
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    ...[method, url.pathname, queryOf(url)],
    ...names.map(name => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`),
    ...['', names.join(';'), headers['x-amz-content-sha256']],
  ].join('\n')
  const scope = `${day}/${region}/${SERVICE}/aws4_request`
  const toSign = [ALGORITHM, moment, scope, hex(canonical)].join('\n')
  const key = [day, region, SERVICE, 'aws4_request'].reduce<Uint8Array | string>(
    hmac,
    `AWS4${secretAccessKey}`,
  )
  const signature = Buffer.from(hmac(key, toSign)).toString('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}
