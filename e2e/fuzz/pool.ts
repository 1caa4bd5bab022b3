import { routes } from '@colloquy/core/transport'
import { at } from '../../examples/quickstart/src/json.ts'
import type { World } from './child.ts'

type Route = (typeof routes)[number]

/** The values of a path's parameters, by name. */
export type Params = Readonly<Record<string, string>>

/** Number of things of each kind to remember, the newest. */
const REMEMBERED = 60

/** Routes with a body that change nothing of what else is there: they find what it names, or answer with a sound. */
const FINDS =
  /\/telephony\/(?:connectors\/lookup|(?:connectors|phone-numbers)\/batch)$|\/audio-cache\/(?:bulk-delete|:entryId\/synthesize)$/

/** The path of the things of which a route names one, or in which it makes one: all before its last parameter. */
export const collectionOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/:')))

/** The path's parameters, made up but for those of what it hangs on: nothing of the kind is known. */
function madeUp(path: string, things: ReadonlyMap<string, readonly Params[]>): readonly Params[] {
  const names = Array.from(path.matchAll(/\/:(\w+)/g), ([, name = '']) => name)
  const made = Object.fromEntries(names.map(name => [name, `made-up-${name}`]))
  for (let above = collectionOf(collectionOf(path)); above !== ''; above = collectionOf(above)) {
    const known = things.get(above) ?? []
    if (known.length > 0) return known.map(one => ({ ...made, ...one }))
  }
  return [made]
}

/** The parameter that names one thing of the collection at a path, null when no route has one. */
function memberName(path: string): string | null {
  const prefix = `${path}/:`
  const below = routes.find(route => route.path.startsWith(prefix))
  return below?.path.slice(prefix.length).split('/')[0] ?? null
}

/** The things that an answer tells of: the one that was made, or those of a list. */
function thingsIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json
  if (typeof json !== 'object' || json === null) return []
  const list: unknown = Object.values(json).find(Array.isArray)
  return Array.isArray(list) && !('id' in json) ? [json, ...list] : [json]
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * Things that the fuzzer knows to exist, so that requests reach deep code. Learns from answers; forgets removed things.
 */
export interface Pool {
  /** Parameters with which the route may succeed, made-up ones when none are known. */
  params(route: Route): readonly Params[]
  /** Values that were learnt under a name: `access_token`, `cursor`, `event_id`. */
  values(name: string): readonly string[]
  learn(route: Route, params: Params, json: unknown): void
  forget(route: Route, params: Params): void
  forgetValue(name: string, value: string): void
}

/**
 * A pool that knows the own account, and keeps what the fuzzing itself needs out of reach of deletions. Long, because
 * its methods share the things.
 */
export function createPool({ own, other, operatorKeyId }: World): Pool {
  const things = new Map(Object.entries(own.things).map(([path, thing]) => [path, [thing]]))
  const values = new Map<string, string[]>()
  const kept = new Set([...own.keyIds, ...other.keyIds, own.connectorId, other.connectorId, operatorKeyId])

  const add = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
    const list = map.get(key) ?? []
    list.push(value)
    if (list.length > REMEMBERED) list.splice(1, 1)
    map.set(key, list)
  }
  const learnValue = (name: string, value: unknown): void => {
    const found = textOrNull(value)
    if (found !== null && values.get(name)?.includes(found) !== true) add(values, name, found)
  }
  const learnThing = (path: string, thing: Params): void => {
    const known = things.get(path)?.some(one => JSON.stringify(one) === JSON.stringify(thing)) === true
    if (!known) add(things, path, thing)
  }
  /** The agent that everything else hangs on is read and talked to; it is built and deleted elsewhere. */
  const mayUse = (route: Route, thing: Params): boolean =>
    route.family !== 'agents' ||
    route.method === 'GET' ||
    route.path.endsWith('/duplicate') ||
    (route.method === 'POST' && FINDS.test(route.path)) ||
    thing.agentId !== own.agentId

  /** A third of what is made may go; otherwise whatever hangs on it would be gone before it was tried. */
  const mayGo = (route: Route, thing: Params): boolean =>
    route.family === 'webhooks' ||
    route.family === 'alerts' ||
    (Object.values(thing).at(-1)?.charCodeAt(10) ?? 0) % 3 === 0

  return {
    params(route) {
      if (!route.path.includes('/:')) return [{}]
      const known = things.get(collectionOf(route.path)) ?? []
      return (known.length === 0 ? madeUp(route.path, things) : known).filter(
        thing => mayUse(route, thing) && (route.method !== 'DELETE' || mayGo(route, thing)),
      )
    },
    values: name => values.get(name) ?? [],
    learn(route, params, json) {
      const name = memberName(route.path)
      for (const thing of name === null ? [] : thingsIn(json)) {
        const id =
          textOrNull(at(thing, name ?? '')) ??
          textOrNull(at(thing, 'id')) ??
          textOrNull(at(thing, 'handoff_id'))
        // Nothing may be written to main: what was tried there would end there.
        if (id !== null && id !== 'main' && !kept.has(id))
          learnThing(route.path, { ...params, [name ?? '']: id })
      }
      const agentId = textOrNull(at(json, 'agentId'))
      if (route.family === 'agents' && route.method === 'POST' && agentId !== null) {
        learnThing('/v1/agents', { agentId })
        learnThing('/v1/agents/:agentId/real-time-configs', { agentId, clientEnv: 'live' })
      }
      const deploymentId = textOrNull(at(json, 'deployment.id'))
      if (deploymentId !== null)
        learnThing('/v1/agents/:agentId/deployments', { agentId: params.agentId ?? '', deploymentId })
      for (const field of ['access_token', 'cursor', 'metadata.state.event_id'])
        learnValue(field.split('.').at(-1) ?? '', at(json, field))
    },
    forget(route, params) {
      const path = collectionOf(route.path)
      const isBase = JSON.stringify(own.things[path]) === JSON.stringify(params)
      const list = things.get(path) ?? []
      if (path === '/v1/agents' && params.agentId !== own.agentId) {
        for (const [key, known] of things)
          things.set(
            key,
            known.filter(({ agentId }) => agentId !== params.agentId),
          )
      }
      if (!isBase)
        things.set(
          path,
          list.filter(thing => JSON.stringify(thing) !== JSON.stringify(params)),
        )
    },
    forgetValue(name, value) {
      values.set(
        name,
        (values.get(name) ?? []).filter(one => one !== value),
      )
    },
  }
}
