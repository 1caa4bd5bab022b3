import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OPERATION_ROLES } from '../../core/src/http/people-roles.ts'
import { reasonOf } from '../page/data/reason.ts'

const responseSchema = z.object({
  'x-error-codes': z.array(z.string()).optional(),
  $ref: z.string().optional(),
})
const operationSchema = z.object({ operationId: z.string(), responses: z.record(z.string(), responseSchema) })
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ responses: z.record(z.string(), responseSchema) }),
})

/** Faults of a program or a host, about which a person can do nothing but tell somebody. */
const FAULTS = [
  'INTERNAL',
  'BODY_READ_BEFORE',
  'UNSUPPORTED_CONTENT_TYPE',
  'EXPECTATION_FAILED',
  'RANGE_OUTSIDE',
  'HEADERS_TOO_LARGE',
]

/** Signs in again, which is a dialog of its own (CO251). */
const SIGNED_OUT = 'AUTH_USER_UNAUTHORISED'

/** What every operation that a person may call can answer, with its HTTP status. */
function refusals(): readonly (readonly [code: string, status: number])[] {
  const text = readFileSync(join(import.meta.dirname, '../../core/openapi.json'), 'utf8')
  const { paths, components } = documentSchema.parse(JSON.parse(text))
  const roles = new Map<string, string | null>(Object.entries(OPERATION_ROLES))
  const all = Object.values(paths)
    .flatMap(path => Object.values(path))
    .filter(({ operationId }) => (roles.get(operationId) ?? null) !== null)
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, { $ref = '', ...own }]) => {
      const response = components.responses[$ref.split('/').at(-1) ?? ''] ?? own
      return (response['x-error-codes'] ?? []).map(code => `${code} ${status}`)
    })
  return [...new Set(all)].map(one => {
    const [code = '', status = ''] = one.split(' ')
    return [code, Number(status)] as const
  })
}

test('CO39 every refusal that a person can meet has a sentence of its own', () => {
  const all = refusals()
  expect(all.length).toBeGreaterThan(70)
  const without = all.filter(([code, status]) => reasonOf(code, status) === 'failed').map(([code]) => code)
  expect(without.toSorted()).toEqual([...FAULTS, SIGNED_OUT].toSorted())
})

test('CO39 without a code the status says it', () => {
  const reasons = [0, 400, 403, 404, 409, 413, 422, 429, 500, 501, 502, 503, 418].map(status =>
    reasonOf(`HTTP_${status}`, status),
  )
  const [none, wrong, role, gone, conflict, long, invalid, busy, failed, missing, gateway, away, odd] =
    reasons
  expect([none, role, gone, conflict, long, missing]).toEqual([
    ...['network', 'role', 'gone', 'conflict', 'too-long', 'not-set-up'],
  ])
  expect([wrong, invalid]).toEqual(['invalid', 'invalid'])
  expect([busy, away]).toEqual(['busy', 'busy'])
  expect([failed, gateway, odd]).toEqual(['failed', 'failed', 'failed'])
})
