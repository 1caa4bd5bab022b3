import type { Settings } from '../../settings/settings.ts'

/** Returns what clients are told of the files that a host takes. */
export const takenFiles = ({ fileRules: { bytes, perMessage, types } }: Pick<Settings, 'fileRules'>) => ({
  content_types: types,
  max_size_bytes: bytes,
  max_per_message: perMessage,
})
