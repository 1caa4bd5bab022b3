import type { RecordText } from '../../domain/conversation/record.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'

/** How many bytes of UTF-8 a record's texts have. */
export const bytesOfRecord = ({ summary, details, turns }: RecordText): number =>
  utf8Bytes(summary) + utf8Bytes(details) + utf8Bytes(turns ?? '')
