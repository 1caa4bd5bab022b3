import { METHODS } from 'node:http'
import type { routes } from '@colloquy/core/transport'
import fc from 'fast-check'
import { z } from 'zod'
import type { World } from './child.ts'
import { nastyText, withOneFault, writeJson } from './nasty.ts'
import { collectionOf, type Params, type Pool } from './pool.ts'
import { shapeOf, valuesOf } from './values.ts'

export type Route = (typeof routes)[number]

/** Faults of a request. A `neighbour` request has none: the other account reads its own data. */
export const FAULTS = [
  'none',
  'body',
  'bytes',
  'query',
  'params',
  'method',
  'headers',
  'foreign',
  'credential',
  'neighbour',
] as const
export type Fault = (typeof FAULTS)[number]

/** One request, ready to be sent. */
export interface Plan {
  readonly fault: Fault
  readonly route: Route
  readonly params: Params
  readonly method: string
  /** Path and query, as they go over the wire. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

type Headers = readonly (readonly [string, string])[]

/** The credential that opens a route. */
function credentialOf(route: Route, world: World, pool: Pool): Headers {
  const { keys, connectorToken, lineId } = world.own
  switch (route.credential) {
    case 'operator':
      return [['Authorization', `Bearer ${world.operatorKey}`]]
    case 'own':
      return route.path.endsWith('access-token')
        ? [
            ['X-Token', connectorToken],
            ['X-Host', 'localhost'],
          ]
        : [['Authorization', `Bearer ${pool.values('access_token').at(-1) ?? 'none'}`]]
    case 'key_and_token':
      return [
        ['X-Api-Key', keys.project],
        ['X-Token', connectorToken],
      ]
    case 'host_key':
      return [['X-Api-Key', keys.project]]
    case 'key_and_line':
    case 'line_key':
      return [
        ['X-AI-Auth-Token', keys.workspace],
        ['X-Token-Id', lineId],
      ]
    default:
      return [['X-Api-Key', keys[route.credential]]]
  }
}

/** Numbers that there may be, nobody's at first. */
const NUMBERS = Array.from({ length: 300 }, (_, n) => `+4420794${String(61_000 + n)}`)

/** Values for fields whose meaning the schema does not tell. */
function knownOf(route: Route, { own }: World, pool: Pool): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>([
    ['cursor', pool.values('cursor')],
    ['time_zone', ['Europe/Berlin', 'UTC']],
    ['variantId', [own.things['/v1/agents/:agentId/branches/:branchId/variants']?.variantId ?? '']],
  ])
  if (route.family === 'operator' && route.path !== '/operator/v1/accounts') {
    known.set('accountId', [own.accountId, own.slug])
    known.set('agentId', [own.agentId])
  }
  if (route.family === 'chat')
    known.set('conversation_id', [own.things['/v1/:account_id/:project_id/chat']?.conversation_id ?? ''])
  if (route.family === 'handoff-state') known.set('id', [own.recordId])
  if (route.path.includes('/outbound-call')) {
    known.set('to_number', ['+442079460031'])
    known.set('toNumber', ['+442079460031'])
  }
  if (/\/(?:phone|pooled)-numbers/.test(route.path)) {
    known.set('phoneNumber', NUMBERS)
    known.set('phoneNumbers', NUMBERS)
  }
  if (route.family === 'texts') {
    known.set('user_number', ['+442079460031', 'rcs:+442079460032'])
    known.set('agent_number', [own.phoneNumber])
    known.set('messaging_service_sid', [own.sender])
  }
  if (route.family === 'external-events') {
    known.set('account_id', [own.accountId])
    known.set('project_id', [own.agentId])
    known.set('event_id_path', ['event'])
  }
  return known
}

/** Values of a path parameter, from the best encoded to the worst. */
const nastySegment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%',
    '%zz',
    '%ff%fe',
    '%00',
    '%ed%a0%80',
    'a%00b',
    'a/b',
    'a//b',
    '__proto__',
    'constructor',
    'main',
    'a;b=c',
    'a?b',
    'a#b',
    '%20',
    "'%20OR%201=1",
    '\u00e9',
  ),
  nastyText
    .filter(({ length }) => length < 2_000)
    .map(text => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))),
  fc.integer({ min: 100, max: 9_000 }).map(length => 'a'.repeat(length)),
)

const pathOf = (route: Route, params: Params): string =>
  route.path.replace(/:([A-Za-z_]+)/g, (_, name) => encodeURIComponent(params[name] ?? 'none'))

/** The path with one fault. */
const faultyPath = (route: Route, params: Params): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(), nastySegment, fc.constantFrom('segment', 'segment', 'slash', 'trailing', 'more'))
    .map(([seed, nasty, fault]) => {
      const segments = pathOf(route, params).split('/')
      const index = 1 + (seed % (segments.length - 1))
      if (fault === 'slash') return [...segments.slice(0, index), '', ...segments.slice(index)].join('/')
      if (fault === 'trailing') return `${segments.join('/')}/`
      if (fault === 'more') return `${segments.join('/')}/${nasty}`
      const inParams = route.path.split('/').flatMap((name, at) => (name.startsWith(':') ? [at] : []))
      const place = inParams[seed % Math.max(1, inParams.length)] ?? index
      return segments.map((segment, at) => (at === place ? nasty : segment)).join('/')
    })

function queryText(query: unknown): string {
  const pairs = Object.entries(typeof query === 'object' && query !== null ? query : {}).flatMap(
    ([name, value]) =>
      (Array.isArray(value) ? value : [value])
        .filter(one => one !== undefined)
        .map((one): [string, string] => [name, String(one)]),
  )
  return String(new URLSearchParams(pairs))
}

/** A query with one fault, which may be malformed as a whole. */
const faultyQuery = (valid: fc.Arbitrary<unknown>, names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      valid.map(queryText),
      fc.constantFrom(...names, 'unknown', '__proto__', 'constructor'),
      nastyText.filter(({ length }) => length < 5_000),
      fc.constantFrom('value', 'repeated', 'brackets', 'malformed', 'many'),
    )
    .map(([query, name, nasty, fault]) => {
      const value = String(new URLSearchParams([[name, nasty]]))
      if (fault === 'value') return `${value}&${query}`
      if (fault === 'repeated') return `${query}&${value}&${value}&${query}`
      if (fault === 'brackets') return `${query}&${name}[]=1&${name}[a][b]=2&${name}[__proto__]=3`
      if (fault === 'many') return `${query}&${`${name}=1&`.repeat(500)}`
      return `${query}&%&%zz=%ff&=&&;&${name}=%ed%a0%80&${name}`
    })

const faultyHeaders: fc.Arbitrary<Headers> = fc.constantFrom<Headers>(
  [['Content-Type', 'text/plain']],
  [['Content-Type', 'application/json; charset=utf-16']],
  [['Content-Type', 'application/json; charset=utf-8; charset=latin1']],
  [['Content-Type', 'multipart/form-data; boundary=x']],
  [['Content-Type', ';;;,,']],
  [['Content-Type', `application/${'x'.repeat(5_000)}`]],
  [['Content-Encoding', 'gzip']],
  [['Content-Encoding', 'identity, br']],
  [['Expect', '100-continue']],
  [['Expect', 'something-else']],
  [['X-Correlation-Id', 'x'.repeat(128)]],
  [['X-Correlation-Id', 'a\u00e9 b']],
  [
    ['X-AI-Correlation-Id', '../..'],
    ['X-Correlation-Id', 'given:1.2_3-4'],
  ],
  [
    ['Origin', 'null'],
    ['Access-Control-Request-Method', 'POST'],
  ],
  [['Origin', 'https://evil.example.com']],
  [['Host', 'evil.example.com']],
  [
    ['X-Forwarded-For', '1.2.3.4, ::1, '.repeat(50)],
    ['X-Forwarded-Proto', 'http'],
  ],
  [['X-Forwarded-Host', '\u00ff\u00fe']],
  [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['toString', 'z'],
  ],
  [['Accept-Encoding', 'gzip;q=0, *;q=1']],
  [['Range', 'bytes=0-1']],
  [['If-None-Match', '*']],
  [['X-HTTP-Method-Override', 'DELETE']],
  [['Transfer-Encoding', 'chunked']],
  [['Cookie', `a=${'x'.repeat(7_000)}`]],
  new Array(150).fill(0).map((_, index) => [`X-Many-${index}`, 'x'] as const),
  [['X-Huge', 'x'.repeat(14_000)]],
)

/** Credentials that are missing, wrong, of another kind, or sent twice. */
const faultyCredential = ({ own, other, operatorKey }: World): fc.Arbitrary<Headers> =>
  fc.constantFrom<Headers>(
    [],
    [['X-AI-Auth-Token', own.keys.project]],
    [
      ['X-AI-Auth-Token', own.keys.workspace],
      ['X-Token-Id', other.lineId],
    ],
    [
      ['X-AI-Auth-Token', '\u00e9'],
      ['X-Token-Id', own.lineId],
    ],
    [['X-Api-Key', '']],
    [['X-Api-Key', 'cq_ws_wrongwrongwrongwrongwrong']],
    [['X-Api-Key', own.connectorToken]],
    [['X-Api-Key', operatorKey]],
    [['X-Api-Key', 'x'.repeat(5_000)]],
    [['X-Api-Key', '\u00e9\u00ff']],
    ...Object.values(own.keys).map((key): Headers => [['X-Api-Key', key]]),
    [['Authorization', 'Bearer']],
    [
      ['Authorization', 'Bearer '],
      ['X-Token', ''],
    ],
    [['Authorization', 'Basic Og==']],
    [['Authorization', `Bearer ${own.keys.workspace}`]],
    [['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.']],
    [['Authorization', `Bearer ${'.'.repeat(3_000)}`]],
    [
      ['X-Token', own.connectorToken],
      ['X-Host', 'other.example.com'],
    ],
    [
      ['X-Token', own.connectorToken],
      ['X-Host', '\u00ff'],
    ],
    [
      ['X-Token', other.connectorToken.slice(0, -1)],
      ['X-Host', 'localhost'],
    ],
  )

const someBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  nastyText.map(text => Buffer.from(text)),
  fc
    .constantFrom('{', '[', '"', '{"a":', '{}{}', '// x', '\ufeff{}', '[1,]', '{"a"}', 'nul')
    .map(text => Buffer.from(text)),
  fc.constantFrom(1_048_575, 1_048_576, 1_048_577, 1_300_000).map(size => Buffer.alloc(size, 0x5b)),
  fc.constantFrom(1_048_576, 1_048_577).map(size => Buffer.from(`"${'x'.repeat(size - 2)}"`)),
)

const emptyShape = shapeOf(z.object({}))

/** An external event with the id where the query says it is. */
function externalEvent(
  query: unknown,
  eventId: string,
): { readonly query: string; readonly headers: Headers; readonly body: string } {
  const place = JSON.stringify(query)
  const text = queryText(query)
  if (place.includes('"headers"'))
    return { query: text, headers: [['event', eventId]], body: '{"paid":true}' }
  if (place.includes('"querystring"')) return { query: `${text}&event=${eventId}`, headers: [], body: '' }
  return { query: text, headers: [], body: JSON.stringify({ event: eventId, paid: true }) }
}

const withHeaders = (headers: Headers, more: Headers): Headers => {
  const names = new Set(more.map(([name]) => name.toLowerCase()))
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...more]
}

interface Parts {
  readonly params: Params
  readonly path: string
  readonly query: unknown
  readonly queryFault: string | null
  readonly body: unknown
  readonly bytes: Buffer | null
  readonly headers: Headers | null
  readonly credential: Headers | null
  readonly method: string
  readonly eventId: string
}

function planOf(route: Route, fault: Fault, world: World, pool: Pool, parts: Parts): Plan {
  const credential = parts.credential ?? credentialOf(route, world, pool)
  const event = route.family === 'external-events' ? externalEvent(parts.query, parts.eventId) : null
  const query = parts.queryFault ?? event?.query ?? queryText(parts.query)
  const text = event?.body ?? (route.body === null || parts.body === undefined ? '' : writeJson(parts.body))
  const body = parts.bytes ?? (text === '' ? null : Buffer.from(text))
  const json: Headers = body === null && event === null ? [] : [['Content-Type', 'application/json']]
  return {
    fault,
    route,
    params: parts.params,
    method: parts.method,
    target: query === '' ? parts.path : `${parts.path}?${query}`,
    headers: withHeaders([...credential, ...json, ...(event?.headers ?? [])], parts.headers ?? []),
    body,
  }
}

/** The parameters of another account's thing, and those of which only some are the other's. */
function foreignParams(route: Route, { own, other }: World): readonly Params[] {
  const theirs = other.things[collectionOf(route.path)]
  const ours = own.things[collectionOf(route.path)]
  if (theirs === undefined) return []
  const names = Object.keys(theirs).filter(name => theirs[name] !== ours?.[name])
  const mixed = ours === undefined ? [] : names.map(name => ({ ...ours, [name]: theirs[name] ?? '' }))
  return [theirs, ...mixed]
}

/** Returns the parameters that a request of the kind may have. */
function candidatesOf(route: Route, fault: Fault, world: World, pool: Pool): readonly Params[] {
  if (fault === 'foreign') return foreignParams(route, world)
  if (fault !== 'neighbour') return pool.params(route)
  const { credential, family, method, operation, path } = route
  // Asking for replies is a sign of life, and is noted: the other account would not be as it was.
  if (operation === 'listChatReplies') return []
  const own = world.own.things[collectionOf(path)] ?? (path.includes('/:') ? undefined : {})
  return method === 'GET' && family !== 'operator' && credential !== 'own' && own !== undefined ? [own] : []
}

/**
 * Requests of a route that are right, or wrong in one way. Null when nothing is known that the route could be about.
 */
export function plansOf(route: Route, fault: Fault, of: World, pool: Pool): fc.Arbitrary<Plan> | null {
  const world = fault === 'neighbour' ? { ...of, own: of.other, other: of.own } : of
  const candidates = candidatesOf(route, fault, world, pool)
  if (candidates.length === 0) return null
  const known = knownOf(route, world, pool)
  const queryShape = shapeOf(route.query)
  const validQuery = valuesOf(queryShape, { values: known, leftOut: 6 })
  const bodyShape = route.body === null ? null : route.body === 'raw' ? emptyShape : shapeOf(route.body)
  const validBody =
    bodyShape === null ? fc.constant(undefined) : valuesOf(bodyShape, { values: known, leftOut: 1 })
  const only = <Value>(when: Fault, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
    fault === when ? arbitrary : fc.constant(null)
  return fc.constantFrom(...candidates).chain(params =>
    fc
      .record({
        params: fc.constant(params),
        path: fault === 'params' ? faultyPath(route, params) : fc.constant(pathOf(route, params)),
        query: validQuery,
        queryFault: only('query', faultyQuery(validQuery, Object.keys(queryShape.properties ?? {}))),
        body: fault === 'body' ? withOneFault(validBody) : validBody,
        bytes: only('bytes', someBytes),
        headers: only('headers', faultyHeaders),
        credential: only('credential', faultyCredential(world)),
        method:
          fault === 'method'
            ? fc.constantFrom(...METHODS.filter(name => name !== 'CONNECT' && name !== 'DELETE'))
            : fc.constant(route.method),
        eventId: fc.constantFrom(...pool.values('event_id'), 'unknown'),
      })
      .map(parts => planOf(route, fault, world, pool, parts)),
  )
}
