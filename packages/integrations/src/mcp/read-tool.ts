import type { Tool } from '@modelcontextprotocol/client'
import * as z from 'zod'

/** Servers write null if they mean that a field is absent. */
const withoutNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
    : value

const schemaSchema = z.preprocess(withoutNulls, z.looseObject({}, 'must be a schema'))
const textSchema = z.string('must be text')

/** The fields of a tool that are of use here. All others may be whatever they are. */
const toolSchema = z.object({
  name: textSchema,
  title: textSchema.exactOptional(),
  description: textSchema.exactOptional(),
  inputSchema: z.preprocess(
    withoutNulls,
    z.looseObject({ type: z.literal('object', 'must be "object"') }, 'must be a schema'),
  ),
  outputSchema: schemaSchema.exactOptional(),
})

/** The answer to `tools/list`, whatever the tools are. */
export const toolListSchema = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional().catch(undefined),
})

/** Returns a tool of a server's list, or which of its fields is wrong (MC10). */
export function readTool(
  given: unknown,
): { readonly tool: Tool } | { readonly name: string | null; readonly problem: string } {
  const { data, error } = toolSchema.safeParse(withoutNulls(given))
  if (data !== undefined) return { tool: data }
  const [issue] = error.issues
  const named = z.object({ name: z.string() }).safeParse(given)
  const where = issue?.path.join('.') || 'entry'
  return { name: named.data?.name ?? null, problem: `its "${where}" ${issue?.message ?? 'is not valid'}` }
}
