import { thrownDetails } from '../domain/thrown.ts'
import type { Log } from '../ports/log.ts'
import { refuseSetting } from './refuse-setting.ts'
import { FUNCTION_TIMEOUT, SETTINGS_SCHEMA } from './schema.ts'
import type { Settings } from './settings.ts'
import type { SettingsInput } from './settings-input.ts'

/**
 * Returns the host's settings over the defaults; what is undefined has its default (EM4). Errors go to the log unless
 * the host takes them.
 *
 * @throws SCHEMA_VALIDATION_FAILED for unknown names and invalid values, with the setting and what is allowed (EM4,
 * EM4 and HT39)
 */
export function resolveSettings(input: SettingsInput, log: Log): Settings {
  // A parser compiled for one use costs more than it saves.
  const parsed = SETTINGS_SCHEMA.safeParse(input, { jitless: true })
  if (!parsed.success) return refuseSetting(input, parsed.error.issues)
  const { turnDeadline } = parsed.data
  const {
    functionTimeout = Math.min(FUNCTION_TIMEOUT, Math.floor(turnDeadline / 2)),
    // A turn that has failed is in the log already, with its conversation.
    onError = (error, where) =>
      where === 'turn' ? undefined : log.error('Something failed', { where, error: thrownDetails(error) }),
  } = parsed.data
  return { ...parsed.data, functionTimeout, onError }
}
