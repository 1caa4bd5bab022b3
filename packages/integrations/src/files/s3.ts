import { type Files, type FileToRead, refuseUnknown } from '@colloquy/core'
import { startOfAnswer } from '../outbound-http/answer-start.ts'
import { type S3Credentials, signedHeaders } from './aws-signature.ts'

export type { S3Credentials } from './aws-signature.ts'

/** Options of {@link createS3Files}. */
export interface S3FilesOptions {
  /** The address of the store, such as `https://s3.eu-central-1.amazonaws.com`. The bucket becomes part of the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Before each id, such as `colloquy/`. @default empty */
  readonly prefix?: string
  /** @default "us-east-1", which stores without regions take */
  readonly region?: string
  /** The credentials, or a function that returns the ones of now. They must allow to put, get and delete objects. */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /** Also over plain `http:`, for a store on the same machine. @default false */
  readonly allowInsecure?: boolean
}

const OPTIONS = ['endpoint', 'bucket', 'prefix', 'region', 'credentials', 'allowInsecure']

/** Names of buckets, and what may stand before an id. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[A-Za-z0-9/_-]{0,200}$/
const ID = /^[A-Za-z0-9-]{1,100}$/

function endpointOf({ allowInsecure = false, endpoint }: S3FilesOptions): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw new TypeError('endpoint is no address. It must be an https address without query and user.')
  if (url.protocol === 'http:' && !allowInsecure)
    throw new TypeError('endpoint is http. It must be https, unless allowInsecure is set.')
  return url
}

/** Bytes that are read of an answer that is no file: a refusal has its code there. */
const ANSWER_BYTES = 2_000

/** Returns the error of an answer, with the store's code, and without any text that may hold more. */
async function refusalOf(what: string, response: Response): Promise<Error> {
  const { text } = await startOfAnswer(response, ANSWER_BYTES)
  const [, code = 'no code'] = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text) ?? []
  return new Error(`The store of files refused to ${what} a file: ${response.status}, ${code}.`)
}

/**
 * Stores files in a bucket of an S3-compatible store (FI35 to FI36), with requests over `fetch` that are signed with
 * version 4 of AWS. The bucket needs no public access: the platform serves the files itself. Turn versions of objects
 * off, or removed files stay readable there.
 *
 * @throws TypeError for an invalid option
 * @throws SCHEMA_VALIDATION_FAILED for an unknown one (EM4)
 */
export function createS3Files(options: S3FilesOptions): Files {
  refuseUnknown('createS3Files', options, OPTIONS)
  const { bucket, credentials, prefix = '', region = 'us-east-1' } = options
  const base = endpointOf(options)
  if (!BUCKET.test(bucket))
    throw new TypeError('bucket must be 3 to 63 small letters, digits, dots and hyphens.')
  if (!PREFIX.test(prefix))
    throw new TypeError('prefix must be at most 200 letters, digits, slashes, hyphens and underscores.')

  async function ask(
    method: 'PUT' | 'GET' | 'DELETE',
    { id, range, signal }: FileToRead,
    file: { readonly content: Uint8Array; readonly type: string } | null = null,
  ): Promise<Response> {
    if (!ID.test(id)) throw new TypeError('The id of a file must be letters, digits and hyphens.')
    signal.throwIfAborted()
    const url = new URL(`${base.pathname.replace(/\/$/, '')}/${bucket}/${prefix}${id}`, base)
    const body = file?.content ?? new Uint8Array()
    const headers = signedHeaders({
      ...{ method, url, region, body, at: new Date() },
      headers: {
        ...(file === null ? {} : { 'content-type': file.type }),
        ...(range === undefined ? {} : { range: `bytes=${range.from}-${range.to - 1}` }),
      },
      credentials: typeof credentials === 'function' ? await credentials() : credentials,
    })
    return fetch(url, {
      ...{ method, headers, redirect: 'error', signal },
      // A copy, so that nothing else changes the bytes while they are sent.
      ...(file === null ? {} : { body: new Uint8Array(body) }),
    })
  }

  /** Reads an answer without a file to its end, so that its connection serves the next request. */
  async function done(what: string, response: Response): Promise<void> {
    if (!response.ok) throw await refusalOf(what, response)
    await startOfAnswer(response, ANSWER_BYTES)
  }

  return {
    async put(file) {
      await done('store', await ask('PUT', file, file))
    },
    async get(file) {
      const response = await ask('GET', file)
      // A store that knows no ranges would send all.
      if (response.status === (file.range === undefined ? 200 : 206)) return response.body ?? emptyFile()
      const refusal = await refusalOf('read', response)
      if (response.status === 404) return null
      throw refusal
    },
    async remove(file) {
      const response = await ask('DELETE', file)
      if (response.status === 404) await startOfAnswer(response, ANSWER_BYTES)
      else await done('remove', response)
    },
  }
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {}
