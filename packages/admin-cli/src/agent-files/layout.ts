import { createHash } from 'node:crypto'
import type { ResourceKind } from '@colloquy/core/domain'

/** Folders of the kinds that have any number of resources, one file each. */
export const FOLDERS = {
  topics: { folder: 'topics', ending: '.md', idPrefix: 'TOPIC' },
  variants: { folder: 'variants', ending: '.json', idPrefix: 'VARIANT' },
  test_cases: { folder: 'test-cases', ending: '.json', idPrefix: 'TESTCASE' },
} as const

/** A kind with a file for each of its resources. */
export type FolderKind = keyof typeof FOLDERS

/** The kinds of which each resource has a file of its own. */
export const FOLDER_KINDS = ['topics', 'variants', 'test_cases'] as const

/** Files of the other kinds, one for each kind. */
export const FILES = {
  behavior: 'behavior.md',
  response_settings: 'response-settings.json',
  attributes: 'attributes.json',
} as const

/** The file that says of which agent, branch and state a folder is. */
export const LOCK_FILE = 'colloquy-lock.json'

/** Characters of a name in a file's name, and the bytes that they may take. */
const SLUG = { characters: 50, bytes: 100 }

/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

const hashed = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12)

/** Returns the name in letters, digits and hyphens of any script; `''` where it has none. */
function slugOf(name: string): string {
  // Accents go; vowel signs of other scripts are parts of words.
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .normalize('NFC')
  const words = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-/, '')
  let slug = ''
  for (const character of [...words].slice(0, SLUG.characters)) {
    if (Buffer.byteLength(slug + character) > SLUG.bytes) break
    slug += character
  }
  return slug.replace(/-$/, '')
}

/** Returns the id as a part of a file's name: a hash where it is not one that every file system takes. */
const idPart = (id: string): string =>
  /^[\w-]{1,80}$/.test(id) && !RESERVED.test(id) ? id : `id-${hashed(id)}`

/** A resource to find a file's name for. */
export interface Placed {
  readonly kind: FolderKind
  readonly id: string
  readonly name: string
}

/**
 * Returns a path for each of the resources, from their names and ids alone: readable, stable, and distinct also on a
 * case-insensitive file system.
 */
export function pathsOf(resources: readonly Placed[]): readonly string[] {
  const stems = resources.map(({ kind, id, name }) => {
    const slug = slugOf(name)
    return `${FOLDERS[kind].folder}/${slug === '' ? '' : `${slug}--`}${idPart(id)}`
  })
  const fold = (stem: string): string => stem.toLowerCase()
  const counts = new Map<string, number>()
  for (const stem of stems) counts.set(fold(stem), (counts.get(fold(stem)) ?? 0) + 1)
  return resources.map(({ kind, id }, at) => {
    const stem = stems[at] ?? ''
    const unique = (counts.get(fold(stem)) ?? 0) > 1 ? `${stem}-${hashed(id)}` : stem
    return unique + FOLDERS[kind].ending
  })
}

/** The kind whose folder holds the path; null for a path elsewhere. */
export const folderKindOf = (path: string): FolderKind | null =>
  FOLDER_KINDS.find(kind => path.startsWith(`${FOLDERS[kind].folder}/`)) ?? null

/** The kinds as people read them. */
export const KIND_NAMES: Readonly<Record<ResourceKind, string>> = {
  behavior: 'behavior',
  response_settings: 'response settings',
  topics: 'topic',
  attributes: 'attribute',
  variants: 'variant',
  test_cases: 'test case',
}
