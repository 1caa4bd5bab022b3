import { resolve } from 'node:path'
import type { Files } from '@colloquy/core'
import { createFolderFiles, createS3Files } from '@colloquy/integrations/files'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

/** Returns what an option or a variable names; an empty variable counts as not given. */
export const namedFiles = (option: string | undefined, env: Terminal['env']): string | undefined =>
  option ?? (env.COLLOQUY_FILES || undefined)

/** Machines to which requests may go over plain `http:`. */
const OWN_HOSTS = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Opens the bytes of files where an option says that they are: in a folder, or in a bucket of an S3-compatible store,
 * `https://<host>/<bucket>[/<prefix>]`, with the usual variables of AWS.
 *
 * @throws UsageError, without any secret
 */
export function openFiles(option: string, text: string, env: Terminal['env']): Files {
  if (text === '') throw new UsageError(`${option} is empty. Name a folder, or https://<host>/<bucket>.`)
  if (!/^https?:\/\//i.test(text)) return createFolderFiles({ folder: resolve(text) })
  const url = URL.canParse(text) ? new URL(text) : null
  const [bucket = '', ...prefix] = (url?.pathname ?? '').split('/').filter(one => one !== '')
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(`${option} names a bucket. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  const { AWS_REGION: region, AWS_SESSION_TOKEN: sessionToken } = env
  try {
    return createS3Files({
      endpoint: url?.origin ?? '',
      bucket,
      prefix: prefix.map(one => `${one}/`).join(''),
      credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
      ...(region ? { region } : {}),
      allowInsecure: OWN_HOSTS.includes(url?.hostname ?? ''),
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${option} names no bucket that can be used. ${reason} Name https://<host>/<bucket>.`,
    )
  }
}
