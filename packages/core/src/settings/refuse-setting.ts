import type * as z from 'zod'
import { PlatformError } from '../errors.ts'
import { refuseUnknown } from '../shared/refuse-unknown.ts'
import { SETTING_INFO, type SettingInfo } from './kinds.ts'
import { SETTINGS } from './schema.ts'
import { shown } from './shown.ts'

type Path = readonly PropertyKey[]

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** `webhooks.retryDelays[1]`. */
const nameOf = (path: Path): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')

/** As much of a path as the host wrote: one word may stand for a group. */
function written(input: object, path: Path): { readonly path: Path; readonly value: unknown } {
  let value: unknown = input
  for (const [at, key] of path.entries()) {
    if (!isObject(value)) return { path: path.slice(0, at), value }
    value = Reflect.get(value, key)
  }
  return { path, value }
}

/** Returns the reference's entry on the setting at a path. Without one, returns that of the setting around it. */
function infoAt(path: Path): SettingInfo | undefined {
  let shape: Readonly<Record<string, z.ZodType>> | undefined = SETTINGS
  let info: SettingInfo | undefined
  for (const key of path) {
    const schema: z.ZodType | undefined = shape?.[String(key)] ?? info?.items
    info = (schema && SETTING_INFO.get(schema)) ?? info
    shape = info?.shape
  }
  return info
}

/**
 * Throws the error in a host's settings, with the allowed values. Unknown names come first: a misspelt one may be the
 * cause of the rest.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function refuseSetting(input: object, issues: readonly z.core.$ZodIssue[]): never {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const { path, value } = written(input, issue?.path ?? [])
  const name = nameOf(path)
  const info = infoAt(issue?.path ?? [])
  const known = Object.keys(path.length === 0 ? SETTINGS : (info?.shape ?? {}))
  if (issue?.code === 'unrecognized_keys' || (info?.group === true && path === issue?.path))
    refuseUnknown(path.length === 0 ? 'createPlatform' : name, value, known)
  const refused = info?.secret === true ? '' : `, not ${shown(value)}`
  const rule = issue?.code === 'custom' && issue.message.startsWith('must ') ? issue.message : null
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `${name} ${rule ?? `must be ${info?.allowed}${refused}`}.`,
  )
}
