import type { Json, JsonObject } from '../json.ts'

const SCHEMA = { $ref: '#' }
const SCHEMAS = { type: 'array', minItems: 1, items: SCHEMA }
const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT, uniqueItems: true }
const NUMBER = { type: 'number' }
const COUNT = { type: 'integer', minimum: 0 }
const FLAG = { type: 'boolean' }
const LIST = { type: 'array' }
const TYPE = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }

const mapOf = (schema: Json): JsonObject => ({ type: 'object', additionalProperties: schema })
const either = (one: Json, other: Json): JsonObject => ({ anyOf: [one, other] })

/**
 * The rules of draft 7 for schemas, without those that `prepareSchema` checks: references, formats and regular
 * expressions.
 */
export const META_SCHEMA: JsonObject = {
  type: ['object', 'boolean'],
  properties: {
    $id: TEXT,
    $schema: TEXT,
    $ref: TEXT,
    $comment: TEXT,
    title: TEXT,
    description: TEXT,
    readOnly: FLAG,
    writeOnly: FLAG,
    examples: LIST,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: NUMBER,
    exclusiveMaximum: NUMBER,
    minimum: NUMBER,
    exclusiveMinimum: NUMBER,
    maxLength: COUNT,
    minLength: COUNT,
    pattern: TEXT,
    additionalItems: SCHEMA,
    items: either(SCHEMA, SCHEMAS),
    maxItems: COUNT,
    minItems: COUNT,
    uniqueItems: FLAG,
    contains: SCHEMA,
    maxProperties: COUNT,
    minProperties: COUNT,
    required: TEXTS,
    additionalProperties: SCHEMA,
    definitions: mapOf(SCHEMA),
    properties: mapOf(SCHEMA),
    patternProperties: mapOf(SCHEMA),
    dependencies: mapOf(either(SCHEMA, TEXTS)),
    propertyNames: SCHEMA,
    enum: { type: 'array', minItems: 1, uniqueItems: true },
    type: either(TYPE, { type: 'array', items: TYPE, minItems: 1, uniqueItems: true }),
    format: TEXT,
    contentMediaType: TEXT,
    contentEncoding: TEXT,
    ...Object.fromEntries(['if', 'then', 'else'].map(keyword => [keyword, SCHEMA])),
    allOf: SCHEMAS,
    anyOf: SCHEMAS,
    oneOf: SCHEMAS,
    not: SCHEMA,
  },
}
