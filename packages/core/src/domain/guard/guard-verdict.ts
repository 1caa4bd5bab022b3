import * as z from 'zod'
import { onFirstUse } from '../on-first-use.ts'

/** Limits of what a guard says beside texts, which are limited like replies. */
const LENGTH = { destination: 200, reason: 1_000 } as const

/** The schema of a verdict whose texts have at most `length` characters (GU4). */
export const guardVerdictSchema = onFirstUse(() => {
  const text = z.string().refine(value => value.trim() !== '', 'must not be blank')
  return z.discriminatedUnion('verdict', [
    z.strictObject({ verdict: z.literal('allow') }),
    z.strictObject({ verdict: z.literal('change'), text }),
    z.strictObject({ verdict: z.literal('refuse'), text }),
    z.strictObject({
      verdict: z.literal('hand_over'),
      destination: z.string().max(LENGTH.destination),
      reason: z.string().max(LENGTH.reason).default('Guard'),
      text: z.string().default(''),
    }),
  ])
})

/** Begins the node by which the trace of a turn tells a verdict. */
export const GUARD_NODE = 'guard:'

/** A verdict that was checked. */
export type CheckedVerdict = Readonly<z.output<ReturnType<typeof guardVerdictSchema>>>
