import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Operations as the OpenAPI document describes them to those who send requests. */

const FILE = new URL('../../packages/core/openapi.json', import.meta.url)

const schema = z.record(z.string(), z.unknown())

const operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), required: z.boolean(), schema }),
    )
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema })) }).optional(),
})

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** Allowed inputs of an operation. */
export interface Described {
  readonly operation: string
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[]
  /** Null where it takes no JSON. */
  readonly body: Schema | null
  /** Path of the body's schema in the document. */
  readonly bodyAt: readonly string[]
}

/** The document as it is committed. */
export function readDocument(): {
  readonly json: unknown
  readonly components: Readonly<Record<string, Schema>>
  readonly operations: readonly Described[]
} {
  const json: unknown = JSON.parse(readFileSync(FILE, 'utf8'))
  const { paths, components } = documentSchema.parse(json)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, requestBody }]) => ({
      operation: operationId,
      query: parameters.filter(one => one.in === 'query'),
      body: requestBody?.content['application/json']?.schema ?? null,
      bodyAt: ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'],
    })),
  )
  return { json, components: components.schemas, operations }
}
