import * as z from 'zod'
import { properLabelSchema } from '../agent/proper-name.ts'

/** The visitor, as named by the host (MS45). */
export const visitorSchema = z.strictObject({
  id: z.string().min(1).max(200),
  name: properLabelSchema(200).exactOptional(),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'expected a language tag such as "en" or "pt-BR"')
    .max(35)
    .exactOptional(),
})

/** The visitor as the host's server has named it; never what a browser said alone. */
export interface SessionVisitor {
  /** The host's own id of the person. */
  readonly id: string
  readonly name?: string
  /** The language in which the conversation begins, a tag of BCP 47 such as "pt-BR". */
  readonly language?: string
}
