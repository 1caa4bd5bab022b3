import * as z from 'zod'

/** The address of a file. */
export const fileAddress = z
  .object({ url: z.string(), expires_at: z.iso.datetime() })
  .meta({ id: 'FileAddress' })

/** Refusals of every route about a file that is there. */
export const fileRefusals = ['FILE_NOT_FOUND', 'NOT_IMPLEMENTED'] as const

/** Refusals of routes that take a file. */
export const uploadRefusals = [
  ...fileRefusals,
  ...(['FILE_REFUSED', 'FILES_LIMIT', 'FILES_FAILED', 'BODY_TOO_LARGE', 'REQUEST_TIMEOUT'] as const),
] as const
