import type { JsonObject } from '@colloquy/core'
import { shortened } from '@colloquy/core/runtime'
import type { Tool } from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { Bounds } from './options.ts'
import { readTool } from './read-tool.ts'
import { checkOf } from './validator.ts'

/** A tool under the name of its function. */
export interface NamedTool {
  readonly name: string
  readonly tool: Tool
  readonly description: string
  readonly parameters: JsonObject
  /** Null for arguments that fit; else why they do not. */
  check(args: JsonObject): string | null
}

/** A tool that no function is made of, and why. */
export interface LeftOut {
  readonly tool: string
  readonly reason: string
}

const objectSchema = z.record(z.string(), z.json())
const LONGEST_NAME = 64
/** Characters of a name that comes from outside, in a line of the log. */
const SHOWN = 80

/** `rooms_price`: letters, digits, hyphens and underscores (MC1). */
function nameOf(server: string, tool: string, taken: ReadonlySet<string>): string {
  const base = `${server}_${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  const numbered = (number: number): string => {
    const end = number === 1 ? '' : `_${number}`
    return `${base.slice(0, LONGEST_NAME - end.length)}${end}`
  }
  let number = 1
  while (taken.has(numbered(number))) number++
  return numbered(number)
}

function parametersOf(tool: Tool, bytes: number): JsonObject | string {
  const tooLarge = (schema: unknown): boolean => Buffer.byteLength(JSON.stringify(schema) ?? '') > bytes
  if (tooLarge(tool.inputSchema) || tooLarge(tool.outputSchema)) return `it has a schema above ${bytes} bytes`
  const { $schema: _, ...schema } = tool.inputSchema
  const parsed = objectSchema.safeParse(schema)
  return parsed.success ? parsed.data : 'its schema is not JSON'
}

function checking(schema: JsonObject): NamedTool['check'] | null {
  try {
    return checkOf(schema)
  } catch {
    return null
  }
}

/**
 * Returns the tools of a server that can be functions, in the server's order, and those that cannot (MC1, MC10). Names
 * are given in the order of the tools' names, so that the same tools always have the same ones.
 */
export function namedTools(
  server: string,
  listed: readonly unknown[],
  allowed: readonly string[] | undefined,
  bounds: Pick<Bounds, 'tools' | 'descriptionLength' | 'schemaBytes'>,
): { readonly named: readonly NamedTool[]; readonly leftOut: readonly LeftOut[] } {
  const named: NamedTool[] = []
  const leftOut: LeftOut[] = []
  const wanted: Tool[] = []
  const met = new Set<string>()
  for (const [at, given] of listed.entries()) {
    const read = readTool(given)
    const name = 'tool' in read ? read.tool.name : read.name
    if (name !== null && allowed?.includes(name) === false) continue
    if (name !== null) met.add(name)
    if ('tool' in read) wanted.push(read.tool)
    else
      leftOut.push({ tool: shortened(name ?? `number ${at + 1} of the list`, SHOWN), reason: read.problem })
  }
  for (const name of allowed ?? [])
    if (!met.has(name))
      leftOut.push({
        tool: shortened(name, SHOWN),
        reason: 'the server does not list it, or only far down its list',
      })
  const taken = new Set<string>()
  const seen = new Set<string>()
  for (const tool of wanted.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const refuse = (reason: string): void => void leftOut.push({ tool: shortened(tool.name, SHOWN), reason })
    const parameters = parametersOf(tool, bounds.schemaBytes)
    if (seen.has(tool.name)) refuse('another one has its name')
    else if (named.length >= bounds.tools) refuse(`the server has more than ${bounds.tools} tools`)
    else if (typeof parameters === 'string') refuse(parameters)
    else {
      const check = checking(parameters)
      if (check === null) refuse('its schema is not valid')
      else {
        const name = nameOf(server, tool.name, taken)
        taken.add(name)
        const description = shortened(
          tool.description?.trim() || tool.title?.trim() || tool.name,
          bounds.descriptionLength,
        )
        named.push({ name, tool, description, parameters: { ...parameters, type: 'object' }, check })
      }
    }
    seen.add(tool.name)
  }
  return { named, leftOut }
}
