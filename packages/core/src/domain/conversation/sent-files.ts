import * as z from 'zod'
import type { JsonObject } from '../json.ts'
import { type SentFile, sentFileSchema } from './event-payloads.ts'

const NONE: readonly SentFile[] = []

const schema = z.array(sentFileSchema)

/** Returns the files that an event of the log names. Most name none, and are not parsed for it. */
export const filesOfEvent = ({
  payload: { files },
}: {
  readonly payload: JsonObject
}): readonly SentFile[] => (files === undefined ? NONE : (schema.safeParse(files).data ?? NONE))

/** Returns the field of a message with files. A message without any has no such field. */
export const filesBeside = <File>({
  files = [],
}: {
  readonly files?: readonly File[]
}): { readonly files?: readonly File[] } => (files.length === 0 ? {} : { files })
