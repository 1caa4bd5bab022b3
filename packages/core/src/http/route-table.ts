import { PlatformError } from '../errors.ts'
import type { Family, Route } from './route.ts'

/** The result of a look-up of path and method. `family` is the one whose error body and hosts apply. */
export type RouteMatch =
  | {
      readonly type: 'route'
      readonly family: Family
      readonly route: Route
      /** Path parameters by name, still percent-encoded. */
      readonly params: Readonly<Record<string, string>>
    }
  | { readonly type: 'wrong_method'; readonly family: Family; readonly allow: readonly string[] }
  | { readonly type: 'unknown'; readonly family: Family }

/** Routes, made ready for fast matching. */
export interface RouteTable {
  /** Finds the route of a request. Returns null for an unknown path. */
  match(method: string, path: string): RouteMatch | null
  /** Reports whether `match` has a result for a path, with any method. */
  claims(path: string): boolean
}

interface Entry {
  readonly route: Route
  readonly names: readonly string[]
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | null
  readonly entries: Map<string, Entry>
  /** Set where a path becomes ours: everything below belongs to this family. */
  claim: Family | null
}

const createNode = (): Node => ({ literals: new Map(), parameter: null, entries: new Map(), claim: null })

const isMarker = (segment: string | undefined) => segment === 'api' || /^v\d+$/.test(segment ?? '')

/**
 * Returns the number of leading segments that make a path one of ours. They end with the first own word and a version
 * that follows it. So `/v1/agents/…`, `/operator/v1/…`, `/v1/:account/:project/conversations/…` are ours. A host's own
 * `/v1/invoices` or `/api/v1/users` is not.
 */
function claimedLength(segments: readonly string[]): number {
  const word = segments.findIndex(segment => !segment.startsWith(':') && !isMarker(segment))
  if (word === -1) return segments.length
  return isMarker(segments[word + 1]) ? word + 2 : word + 1
}

function addRoute(root: Node, route: Route): number {
  const segments = route.path.split('/').slice(1)
  const claimed = claimedLength(segments)
  let node = root
  segments.forEach((segment, index) => {
    if (segment.startsWith(':')) {
      node.parameter ??= createNode()
      node = node.parameter
    } else {
      const next = node.literals.get(segment) ?? createNode()
      node.literals.set(segment, next)
      node = next
    }
    if (index + 1 === claimed) node.claim ??= route.family
  })
  if (node.entries.has(route.method))
    throw new PlatformError('INTERNAL', `Two routes answer ${route.method} ${route.path}.`)
  const names = segments.filter(segment => segment.startsWith(':')).map(segment => segment.slice(1))
  node.entries.set(route.method, { route, names })
  return segments.length
}

interface Search {
  /** The method to look up; null: only whether the path is known. */
  readonly method: string | null
  readonly segments: readonly string[]
  readonly values: string[]
  /** The methods that the path answers, where it is known; null if it is not. */
  allow: ReadonlyMap<string, Entry> | null
  family: Family | null
}

/** Searches depth first, literals before parameters. Every node of the tree is visited at most once. */
function find(node: Node, depth: number, search: Search): Entry | null {
  search.family ??= node.claim
  if (search.method === null && search.family !== null) return null
  const segment = search.segments[depth]
  if (segment === undefined) {
    if (search.method === null) return null
    const first = node.entries.values().next().value
    if (first === undefined) return null
    search.allow = node.entries
    search.family = first.route.family
    return node.entries.get(search.method) ?? null
  }
  const literal = node.literals.get(segment)
  const found = literal === undefined ? null : find(literal, depth + 1, search)
  if (found !== null || node.parameter === null || segment === '') return found
  // The whole path is known there, under other methods: it is that path, not a value of a parameter.
  if (search.allow !== null) return null
  search.values.push(segment)
  const below = find(node.parameter, depth + 1, search)
  if (below === null) search.values.pop()
  return below
}

/** Adds HEAD to the methods if there is GET. */
const withHead = (entries: ReadonlyMap<string, Entry>): readonly string[] =>
  [...entries.keys()].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort()

/**
 * Builds a tree of path segments out of routes. Matching costs the depth of the path and not the number of routes; a
 * literal segment wins over a parameter. Segments are compared as they come: trailing and double slashes match nothing.
 *
 * @throws INTERNAL when two routes have the same method and path
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const root = createNode()
  const deepest = Math.max(0, ...routes.map(route => addRoute(root, route)))
  const search = (method: string | null, path: string) => {
    const state: Search = {
      method: method === 'HEAD' ? 'GET' : method,
      segments: path.startsWith('/') ? path.slice(1).split('/', deepest + 1) : [''],
      values: [],
      allow: null,
      family: null,
    }
    return { entry: find(root, 0, state), state }
  }
  return {
    claims: path => search(null, path).state.family !== null,
    match(method, path) {
      const { entry, state } = search(method, path)
      if (entry !== null) {
        const params: Record<string, string> = {}
        entry.names.forEach((name, index) => {
          params[name] = state.values[index] ?? ''
        })
        return { type: 'route', family: entry.route.family, route: entry.route, params }
      }
      if (state.family === null) return null
      if (state.allow === null) return { type: 'unknown', family: state.family }
      return { type: 'wrong_method', family: state.family, allow: withHead(state.allow) }
    },
  }
}
