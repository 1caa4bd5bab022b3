import { expect } from 'vitest'
import type { RecordJson, TurnJson } from '../../../domain/conversation/record.ts'
import type { StoredJson } from '../../../domain/stored-json.ts'
import type { RecordPage } from '../../../ports/store/records.ts'

/** Returns the text of stored JSON, which must be that of its value. */
export function textOf({ text, value }: StoredJson<unknown>): string {
  expect(text).toBe(JSON.stringify(value))
  return text
}

/** Returns the texts of a record. */
export const recordTexts = ({ summary, details, turns }: RecordJson) => ({
  summary: textOf(summary),
  details: textOf(details),
  turns: turns && textOf(turns),
})

/** Returns the texts of turns. */
export const turnTexts = (turns: readonly TurnJson[]) =>
  turns.map(({ record, details }) => ({ record: textOf(record), details: textOf(details) }))

/** Returns a page of records with their texts. */
export const pageTexts = ({ records, more }: RecordPage) => ({
  records: records.map(({ json, ...position }) => ({ ...position, ...recordTexts(json) })),
  more,
})
