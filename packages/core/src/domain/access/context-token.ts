import * as z from 'zod'
import type { JsonObject } from '../json.ts'
import { jsonBytes } from '../utf8-bytes.ts'
import { type ContextKey, verifyingKeys } from './context-key.ts'
import { isSignedWith, looksSigned, TOKEN_ALGORITHM, tokenPart } from './signed-token.ts'

/** Bounds of a context token (MS49). */
const CONTEXT_LIMITS = {
  /** Size of the whole token. Its characters are ASCII. */
  tokenBytes: 16_384,
  /** Size of `ctx` as JSON. */
  contextBytes: 8_192,
  /** From `iat` to `exp`. */
  seconds: 30,
} as const

const headerSchema = z.object({
  alg: z.literal(TOKEN_ALGORITHM),
  typ: z.string().regex(/^JWT$/i).exactOptional(),
  kid: z.string(),
  /** No extension is known here that a token could insist on (RFC 7515, 4.1.11). */
  crit: z.undefined().exactOptional(),
})

const claimsSchema = z.object({
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().exactOptional(),
  ctx: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

/** The reason why a context token is not taken. Says nothing that the token holds (CR20). */
export type ContextRefusal =
  | 'not a signed token of at most 16,384 characters'
  | 'a header without alg HS256 and a kid'
  | 'a kid of no secret of the connector'
  | 'a wrong signature'
  | 'claims without sub, iat, exp and a flat ctx'
  | 'the sub of another conversation'
  | 'a life of no or more than 30 seconds'
  | 'expired, or not valid yet'
  | 'a ctx of more than 8,192 bytes'

/** The facts that a context token is checked against. */
export interface ContextCheck {
  readonly secrets: readonly ContextKey[]
  /** The `context_id` of the conversation. */
  readonly contextId: string
  readonly now: number
  /** The largest accepted difference between the clocks of the host and of this process, milliseconds. */
  readonly tolerance: number
}

/** Returns the context of a token, or the reason why the token is refused (MS49). Never throws. */
export function readContextToken(
  token: string,
  { secrets, contextId, now, tolerance }: ContextCheck,
): { readonly context: JsonObject } | { readonly refusal: ContextRefusal } {
  const refuse = (refusal: ContextRefusal) => ({ refusal })
  if (token.length > CONTEXT_LIMITS.tokenBytes || !looksSigned(token))
    return refuse('not a signed token of at most 16,384 characters')
  const header = headerSchema.safeParse(tokenPart(token, 'header')).data
  if (header === undefined) return refuse('a header without alg HS256 and a kid')
  const key = verifyingKeys(secrets, now).find(({ kid }) => kid === header.kid)
  if (key === undefined) return refuse('a kid of no secret of the connector')
  if (!isSignedWith(token, key.secret)) return refuse('a wrong signature')
  const claims = claimsSchema.safeParse(tokenPart(token, 'payload')).data
  if (claims === undefined) return refuse('claims without sub, iat, exp and a flat ctx')
  const { sub, iat, exp, nbf = iat, ctx } = claims
  if (sub !== contextId) return refuse('the sub of another conversation')
  if (exp <= iat || exp - iat > CONTEXT_LIMITS.seconds) return refuse('a life of no or more than 30 seconds')
  if (now >= exp * 1_000 + tolerance || Math.max(iat, nbf) * 1_000 > now + tolerance)
    return refuse('expired, or not valid yet')
  if (jsonBytes(ctx) > CONTEXT_LIMITS.contextBytes) return refuse('a ctx of more than 8,192 bytes')
  return { context: ctx }
}
