import { copyJson, type Json } from '../../../domain/json.ts'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'

/** What functions write is at most 64 levels deep (FN23), within a part, within the list. */
const DEPTH = 70

/** What a call of a function said, wrote and did, as it is kept with the turn. */
export const jsonOfParts = (parts: readonly RuntimePart[]): Json =>
  copyJson(JSON.parse(JSON.stringify(parts)), DEPTH) ?? []
