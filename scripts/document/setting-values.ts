import { silentLog } from '../../packages/core/src/ports/log.ts'
import type { SettingInfo, Unit } from '../../packages/core/src/settings/kinds.ts'
import { type ListedSetting, settingAt } from '../../packages/core/src/settings/list-settings.ts'
import { resolveSettings } from '../../packages/core/src/settings/resolve-settings.ts'

const DEFAULTS = resolveSettings({}, silentLog)

const TIMES = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** `10 minutes`; null where the number says as much. */
function inWords(value: number, unit: Unit): string | null {
  if (unit === 'bytes') {
    if (value >= 1_048_576 && value % 1_048_576 === 0) return `${value / 1_048_576} MiB`
    return value >= 1_024 && value % 1_024 === 0 ? `${value / 1_024} KiB` : null
  }
  if (unit !== 'milliseconds' && unit !== 'seconds') return null
  const seconds = unit === 'seconds' ? value : value / 1_000
  const [size, word] = TIMES.find(([one]) => seconds >= one && seconds % one === 0) ?? [0, '']
  if (size === 0 || (size === 1 && unit === 'seconds')) return null
  return `${seconds / size} ${word}${seconds === size ? '' : 's'}`
}

/** `600000, 10 minutes`, or the default in words. */
export function defaultOf({ name, info }: ListedSetting): string {
  if (info.defaultText !== undefined) return info.defaultText
  const value = settingAt(DEFAULTS, name)
  if (Array.isArray(value)) return value.map(one => inWords(one, info.unit) ?? String(one)).join(', ')
  if (typeof value !== 'number') return JSON.stringify(value)
  const words = inWords(value, info.unit)
  return words === null ? String(value) : `${value}, ${words}`
}

/** `1 to 100 bytes`; null for what is no number. */
export function rangeOf({ range, unit, allowed }: SettingInfo): string | null {
  if (range === undefined) return null
  const ends = `${range.from} to ${range.to}${unit === null ? '' : ` ${unit}`}`
  return allowed.endsWith(', or null') ? `${ends}, or null` : ends
}
