import type { RecordJson } from '../../domain/conversation/record.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'

/** Returns the size of a record as text, in bytes of UTF-8. */
export const bytesOfRecord = ({ summary, details, turns }: RecordJson): number =>
  utf8Bytes(summary.text) + utf8Bytes(details.text) + utf8Bytes(turns?.text ?? '')
