import {
  type ContentTree,
  contentFaults,
  parseResource,
  RESOURCE_SCHEMAS,
  type Resource,
  type ResourceKind,
  resourceKey,
  treeOf,
} from '@colloquy/core/domain'
import { FILES, FOLDERS, type FolderKind, folderKindOf, KIND_NAMES } from './layout.ts'
import { isProblem, jsonSource, markdownSource, type Path, type Problem, type Source } from './source.ts'
import { markerLine } from './text.ts'

/** The files of a folder, by path with `/`, without the lock file. */
export type Files = ReadonlyMap<string, string>

/** Result of parsing files: their content, or all their problems. */
export type ParsedFiles =
  | {
      readonly status: 'content'
      readonly tree: ContentTree
      /** The file of each resource, by its key. */
      readonly places: ReadonlyMap<string, string>
    }
  | { readonly status: 'invalid'; readonly problems: readonly Problem[] }

/** A resource as its file has it. */
interface Draft {
  readonly kind: ResourceKind
  readonly fields: Readonly<Record<string, unknown>>
  readonly source: Source
  /** Path of the resource within the source. */
  readonly at: Path
}

const DEFAULTS: Readonly<Record<ResourceKind, Readonly<Record<string, unknown>>>> = {
  behavior: {},
  response_settings: { voiceId: null, modelId: null },
  topics: { actions: '', exampleQueries: [], isActive: true },
  attributes: {},
  variants: { isDefault: false, attributeValues: {} },
  test_cases: { turns: [], functionResults: {}, variantId: null, isActive: true },
}

const ID_PREFIX = { ...{ topics: '', variants: '', test_cases: '' }, attributes: 'ATTRIBUTE' }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const problemAt = ({ source, at }: Draft, path: Path, message: string): Problem => ({
  ...{ file: source.file, line: source.lineOf([...at, ...path]), message },
})

/** Reads one file. */
function draftsOf(path: string, text: string): readonly (Draft | Problem)[] {
  const marker = markerLine(text)
  if (marker !== null)
    return [
      { file: path, line: marker, message: 'This is a conflict; keep what is right, without the markers.' },
    ]
  const draft = (kind: ResourceKind, source: Source, value: unknown, at: Path): Draft | Problem => {
    if (isRecord(value)) return { kind, fields: value, source, at }
    return {
      file: path,
      line: source.lineOf(at),
      message: `Here must be the fields of one ${KIND_NAMES[kind]}.`,
    }
  }
  const kind = folderKindOf(path)
  const markdown = kind === 'topics' || path === FILES.behavior
  const source = markdown
    ? markdownSource(path, text, kind === 'topics' ? 'content' : 'behavior')
    : jsonSource(path, text)
  if (isProblem(source)) return [source]
  if (kind !== null) return [draft(kind, source, source.value, [])]
  if (path === FILES.behavior) return [draft('behavior', source, source.value, [])]
  if (path === FILES.response_settings) return [draft('response_settings', source, source.value, [])]
  if (!Array.isArray(source.value))
    return [{ file: path, line: 1, message: 'Here must be a list of attributes, each {"id": …, "name": …}.' }]
  return source.value.map((value: unknown, at) => draft('attributes', source, value, [at]))
}

const isDraft = (read: Draft | Problem): read is Draft => !('message' in read)

/** Returns the id that the file gives, or a new one. */
function idOf(draft: Draft, newId: (prefix: string) => string): string | Problem {
  const { kind, fields } = draft
  if (kind === 'behavior' || kind === 'response_settings') return ''
  if (fields.id === undefined)
    return newId(kind === 'attributes' ? ID_PREFIX.attributes : FOLDERS[kind].idPrefix)
  if (typeof fields.id === 'string' && fields.id !== '') return fields.id
  return problemAt(draft, ['id'], 'The id must be a text; leave it out for a new one.')
}

/** Returns the resource of a draft, or what is wrong with it. */
function resourceOf(draft: Draft, id: string): Resource | readonly Problem[] {
  const { kind, fields } = draft
  const schema = RESOURCE_SCHEMAS[kind]
  const known = [...(id === '' ? [] : ['id']), ...Object.keys(schema.shape)]
  const unknown = Object.keys(fields).filter(name => !known.includes(name))
  if (unknown.length > 0)
    return unknown.map(name =>
      problemAt(
        draft,
        [name],
        `The field "${name}" is unknown; a ${KIND_NAMES[kind]} has ${known.join(', ')}.`,
      ),
    )
  const { id: _, ...given } = fields
  const value = { ...DEFAULTS[kind], ...given }
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) =>
      problemAt(draft, path, `The field "${path.map(String).join('.')}" is not valid: ${message}.`),
    )
  return parseResource(kind, id, value)
}

/** Attributes and variants may be named in the place of their ids. */
function withIds(resource: Resource, idsOf: (kind: ResourceKind, name: string) => string): Resource {
  if (resource.kind === 'variants') {
    const entries = Object.entries(resource.value.attributeValues)
    const attributeValues = Object.fromEntries(
      entries.map(([name, value]): [string, string] => [idsOf('attributes', name), value]),
    )
    return { ...resource, value: { ...resource.value, attributeValues } }
  }
  if (resource.kind !== 'test_cases' || resource.value.variantId === null) return resource
  return { ...resource, value: { ...resource.value, variantId: idsOf('variants', resource.value.variantId) } }
}

/** Ids by what may stand for them: an id for itself, else a name. */
function idFinder(resources: readonly Resource[]): (kind: ResourceKind, name: string) => string {
  const keys = new Set(resources.map(resourceKey))
  const byName = new Map(
    resources.flatMap(({ kind, id, value }) =>
      'name' in value ? [[`${kind}/${value.name}`, id] as const] : [],
    ),
  )
  return (kind, name) => (keys.has(`${kind}/${name}`) ? name : (byName.get(`${kind}/${name}`) ?? name))
}

const misplaced = (path: string, kind: FolderKind | null): Problem | null => {
  if (kind === null) return null
  const { folder, ending } = FOLDERS[kind]
  if (path.endsWith(ending) && path.split('/').length === 2) return null
  return {
    file: path,
    line: 1,
    message: `In ${folder} there must be files that end in ${ending}, and no folders.`,
  }
}

const missing = (files: Files): readonly Problem[] =>
  Object.values(FILES)
    .filter(file => !files.has(file))
    .map(file => ({ file, line: 1, message: 'This file is missing; every agent has it.' }))

/**
 * Reads an agent's content from files (CL21, CL23).
 *
 * @param newId makes an id for a resource whose file gives none
 */
export function parseFiles(files: Files, newId: (prefix: string) => string): ParsedFiles {
  const problems: Problem[] = [...missing(files)]
  const found = new Map<string, { readonly resource: Resource; readonly draft: Draft }>()
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const stray = misplaced(path, folderKindOf(path))
    const read = stray === null ? draftsOf(path, text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n')) : [stray]
    problems.push(...read.filter((one): one is Problem => !isDraft(one)))
    for (const draft of read.filter(isDraft)) {
      const id = idOf(draft, newId)
      if (typeof id !== 'string') {
        problems.push(id)
        continue
      }
      const resource = resourceOf(draft, id)
      if (!('kind' in resource)) {
        problems.push(...resource)
        continue
      }
      const key = resourceKey(resource)
      const other = found.get(key)
      if (other === undefined) found.set(key, { resource, draft })
      else
        problems.push(
          problemAt(
            draft,
            ['id'],
            `The id ${id} is that of ${other.draft.source.file} too; leave it out for a new ${KIND_NAMES[draft.kind]}.`,
          ),
        )
    }
  }
  if (problems.length > 0) return { status: 'invalid', problems }
  const resources = [...found.values()].map(({ resource }) => resource)
  const finder = idFinder(resources)
  const tree = treeOf(resources.map(resource => withIds(resource, finder)))
  const faults = contentFaults(tree).map(({ resource, field, message }): Problem => {
    const draft = resource === null ? undefined : found.get(resourceKey(resource))?.draft
    if (draft !== undefined) return problemAt(draft, field === null ? [] : [field], message)
    return { file: FOLDERS.variants.folder, line: 1, message }
  })
  if (faults.length > 0) return { status: 'invalid', problems: faults }
  return {
    status: 'content',
    tree,
    places: new Map([...found].map(([key, { draft }]) => [key, draft.source.file])),
  }
}
