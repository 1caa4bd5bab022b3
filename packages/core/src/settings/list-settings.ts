import type * as z from 'zod'
import { SETTING_INFO, type SettingInfo } from './kinds.ts'
import { SETTINGS } from './schema.ts'

/** A setting, or a group of them, as the reference shows it. */
export interface ListedSetting {
  /** `limits.jsonDepth`. */
  readonly name: string
  readonly info: SettingInfo
}

function* listed(
  shape: Readonly<Record<string, z.ZodType>>,
  prefix: string,
): Generator<ListedSetting, void, undefined> {
  for (const [field, schema] of Object.entries(shape)) {
    const info = SETTING_INFO.get(schema)
    if (info === undefined) throw new Error(`There is no description of the setting ${prefix}${field}.`)
    yield { name: prefix + field, info }
    if (info.group === true) yield* listed(info.shape ?? {}, `${prefix}${field}.`)
  }
}

/** Returns every setting, each group before its members. The reference page and the types are made from this list. */
export const listSettings = (): readonly ListedSetting[] => [...listed(SETTINGS, '')]

/** Returns the value of `limits.jsonDepth`; undefined when the path does not exist. */
export function settingAt(settings: object, name: string): unknown {
  let value: unknown = settings
  for (const field of name.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
  return value
}
