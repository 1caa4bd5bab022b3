import * as z from 'zod'
import { isSignedWith, looksSigned, signToken, TOKEN_ALGORITHM, tokenPart } from '../access/signed-token.ts'

/** Part of the header, so that no other token passes for an address. */
const TYPE = 'file'

const headerSchema = z.object({ alg: z.literal(TOKEN_ALGORITHM), typ: z.literal(TYPE) })
const payloadSchema = z.object({ file: z.string(), exp: z.number() })

/** Characters of an address. */
const LONGEST = 1_000

/** The last part of a file's address: it opens the file for everyone who has it, until it expires (FI13). */
export const signAddress = (fileId: string, expiresAt: number, secret: string): string =>
  signToken({ alg: TOKEN_ALGORITHM, typ: TYPE }, { file: fileId, exp: expiresAt }, secret)

/** Returns the id of the file that an address opens now. Null for an expired one, and for any other text. */
export function readAddress(token: string, now: number, secret: string): string | null {
  if (token.length > LONGEST || !looksSigned(token) || !isSignedWith(token, secret)) return null
  if (!headerSchema.safeParse(tokenPart(token, 'header')).success) return null
  const { data } = payloadSchema.safeParse(tokenPart(token, 'payload'))
  return data === undefined || now >= data.exp ? null : data.file
}
