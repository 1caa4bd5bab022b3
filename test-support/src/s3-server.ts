import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An S3-compatible store of one bucket, which checks signatures by the published description alone. */
export interface S3Server {
  readonly url: string
  readonly objects: ReadonlyMap<string, { readonly type: string; readonly content: Buffer }>
  /** The next request is answered with this status and code. */
  fail(status: number, code: string): void
  close(): Promise<void>
}

interface Keys {
  readonly [accessKeyId: string]: { readonly secret: string; readonly token?: string }
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const mac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The code with which a request is refused; null for one that is signed as it must be. */
function refusalOf(request: IncomingMessage, body: Buffer, keys: Keys, region: string): string | null {
  const { headers, method = '', url = '' } = request
  const [, id = '', day = '', place = '', service = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const key = keys[id]
  if (key === undefined) return 'InvalidAccessKeyId'
  if (headers['x-amz-security-token'] !== key.token) return 'InvalidToken'
  if (place !== region || service !== 's3') return 'AuthorizationHeaderMalformed'
  const moment = String(headers['x-amz-date'])
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!moment.startsWith(day) || !(Math.abs(Date.now() - at) < 900_000)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  const required = ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))]
  if (!required.every(name => signed.includes(name))) return 'AccessDenied'
  const [path = '', query = ''] = url.split('?')
  const text = [
    method,
    path,
    query,
    ...signed.map(name => `${name}:${headers[name]}`),
    '',
    names,
    sha256(body),
  ]
  const string = ['AWS4-HMAC-SHA256', moment, `${day}/${place}/s3/aws4_request`, sha256(text.join('\n'))]
  const signing = mac(mac(mac(mac(`AWS4${key.secret}`, day), place), 's3'), 'aws4_request')
  const expected = mac(signing, string.join('\n'))
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch'
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`)
}

/** Starts one on this machine. */
export async function startS3Server(bucket: string, keys: Keys, region = 'eu-test-1'): Promise<S3Server> {
  const objects = new Map<string, { readonly type: string; readonly content: Buffer }>()
  let failing: { readonly status: number; readonly code: string } | null = null
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { headers, method, url = '' } = request
    const refusal = refusalOf(request, body, keys, region)
    if (refusal !== null) return refuse(response, 403, refusal)
    if (failing !== null) {
      const { code, status } = failing
      failing = null
      if (status === 307) return response.writeHead(307, { location: '/elsewhere' }).end()
      return refuse(response, status, code)
    }
    if (!url.startsWith(`/${bucket}/`)) return refuse(response, 404, 'NoSuchBucket')
    const name = url.slice(bucket.length + 2)
    if (method === 'PUT') {
      objects.set(name, { type: String(headers['content-type']), content: body })
      return response.writeHead(200).end()
    }
    if (method === 'DELETE') {
      objects.delete(name)
      return response.writeHead(204).end()
    }
    const found = objects.get(name)
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (from === undefined || to === undefined)
      return response.writeHead(200, { 'content-type': found.type }).end(found.content)
    const part = found.content.subarray(Number(from), Number(to) + 1)
    return response.writeHead(206, { 'content-type': found.type }).end(part)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    fail(status, code) {
      failing = { status, code }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
