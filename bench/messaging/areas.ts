import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { REPOSITORY } from '../../scripts/workspace-packages.ts'

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.number(),
        columnNumber: z.number(),
      }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
type Node = z.output<typeof profileSchema>['nodes'][number]
type Frame = Node['callFrame']

/** Areas by the beginning of a source file's path; the first that fits. */
const AREAS: readonly (readonly [area: string, paths: RegExp])[] = [
  ['conversation machine', /^packages\/core\/src\/domain\/conversation\//],
  ['turn', /^packages\/core\/src\/usecases\/conversation\/(turn|functions)\//],
  ['engine', /^packages\/core\/src\/usecases\/conversation\//],
  ['feed and connections', /^packages\/core\/src\/usecases\/(feed|messaging)\//],
  ['protocol', /^packages\/core\/src\/(protocol|http)\//],
  ['store adapter', /^packages\/adapter-sqlite\//],
  [
    'sockets',
    /^packages\/ws-transport\/|(^|\/)node_modules\/ws\/|^node:(net|stream|_http|internal\/(stream|net))/,
  ],
  ['SQLite', /(^|\/)node_modules\/better-sqlite3\//],
  ['guards, ids and clock of core', /^packages\/core\/src\/(guarded|system|ports)\//],
  ['rest of core', /^packages\/core\//],
  ['timers, promises and events of Node', /^node:/],
]

/** Names that V8 shows in place of functions. */
const SPECIAL: Readonly<Record<string, string | null>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'outside of JavaScript: system calls, V8',
  '(idle)': null,
  '(root)': null,
}

/** Methods of a statement of better-sqlite3, which have no file. */
const STATEMENT_METHODS = new Set(['all', 'exec', 'get', 'iterate', 'pragma', 'prepare', 'run'])

const maps = new Map<string, SourceMap | null>()

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  let map: SourceMap | null = null
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    // A file that was not built: it stands for itself.
  }
  maps.set(file, map)
  return map
}

/** The source of a function, from the root of the repository; `node:` files as they are. */
function sourceOf({ url, lineNumber, columnNumber }: Frame): string {
  if (!url.startsWith('file:')) return url
  const file = fileURLToPath(url)
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber)
  const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : file
  return relative(REPOSITORY, resolve(dirname(file), source))
}

const areaOfSource = (source: string): string => AREAS.find(([, paths]) => paths.test(source))?.[0] ?? 'other'

/** Microseconds of self time by area, of everything that was not idle. */
export function areasOf(profile: unknown): ReadonlyMap<string, number> {
  const { nodes, samples, timeDeltas } = profileSchema.parse(profile)
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parents = new Map(nodes.flatMap(node => (node.children ?? []).map(child => [child, node] as const)))
  const areas = new Map<number, string | null>()

  /**
   * Returns the area of a function. One without a file belongs to the area of its caller, except for the work of
   * SQLite.
   */
  function areaOf(node: Node): string | null {
    const known = areas.get(node.id)
    if (known !== undefined) return known
    const { functionName, url } = node.callFrame
    const parent = parents.get(node.id)
    let area: string | null
    if (Object.hasOwn(SPECIAL, functionName)) area = SPECIAL[functionName] ?? null
    else if (url !== '') area = areaOfSource(sourceOf(node.callFrame))
    else {
      area = parent === undefined ? 'other' : areaOf(parent)
      if (area === 'store adapter' && STATEMENT_METHODS.has(functionName)) area = 'SQLite'
    }
    areas.set(node.id, area)
    return area
  }

  const sums = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id)
    const area = node === undefined ? null : areaOf(node)
    if (area !== null) sums.set(area, (sums.get(area) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return sums
}
