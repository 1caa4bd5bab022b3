import {
  type Behavior,
  type ContentTree,
  isKind,
  type Json,
  type Resource,
  resourceKey,
  type Topic,
} from '@colloquy/core/domain'
import { FILES, FOLDER_KINDS, pathsOf } from './layout.ts'
import { frontMatter, isPlain } from './text.ts'

/** A file of a folder. `unit` names what it holds, whatever the file is called. */
export interface AgentFile {
  readonly unit: string
  readonly path: string
  readonly text: string
}

/** Fields that come first, in this order, wherever they stand; the others follow by name. */
const FIRST = [
  'id',
  'name',
  'isDefault',
  'isActive',
  'variantId',
  'greeting',
  'languageCode',
  'turns',
  'text',
]

const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length)

/** Equal values become equal texts, in whatever order their fields came. */
function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries.map(([key, inner]): [string, Json] => [key, ordered(inner)]))
}

/** Returns a value as the text of a JSON file. */
export const jsonText = (value: Json): string => `${JSON.stringify(ordered(value), null, 2)}\n`

function topicText(id: string, { name, content, actions, exampleQueries, isActive }: Topic): string {
  const plain = isPlain(content)
  const head = frontMatter({
    id,
    name,
    ...(isActive ? {} : { isActive }),
    ...(exampleQueries.length === 0 ? {} : { exampleQueries }),
    ...(actions === '' ? {} : { actions }),
    ...(plain ? {} : { content }),
  })
  return plain ? `${head}\n${content}\n` : head
}

function behaviorText({ behavior }: Behavior): string {
  if (behavior === '') return ''
  return isPlain(behavior) && !behavior.startsWith('---') ? `${behavior}\n` : frontMatter({ behavior })
}

function textOf(resource: Resource): string {
  if (resource.kind === 'topics') return topicText(resource.id, resource.value)
  if (resource.kind === 'behavior') return behaviorText(resource.value)
  const id = resource.kind === 'response_settings' ? {} : { id: resource.id }
  return jsonText({ ...id, ...resource.value })
}

const byKey = (a: Resource, b: Resource): number => (resourceKey(a) < resourceKey(b) ? -1 : 1)

/** Returns an agent's content as files, by path; the lock file is not among them (CL21). */
export function filesOf(tree: ContentTree): readonly AgentFile[] {
  const resources = [...tree.values()].sort(byKey)
  const named = FOLDER_KINDS.flatMap(kind => resources.filter(isKind(kind)))
  const paths = pathsOf(named.map(({ kind, id, value }) => ({ kind, id, name: value.name })))
  const attributes = resources.filter(isKind('attributes')).map(({ id, value }) => ({ id, ...value }))
  const single = [...resources.filter(isKind('behavior')), ...resources.filter(isKind('response_settings'))]
  const files = [
    ...single.map(one => ({ unit: resourceKey(one), path: FILES[one.kind], text: textOf(one) })),
    { unit: 'attributes', path: FILES.attributes, text: jsonText(attributes) },
    ...named.map((one, at) => ({ unit: resourceKey(one), path: paths[at] ?? '', text: textOf(one) })),
  ]
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}
