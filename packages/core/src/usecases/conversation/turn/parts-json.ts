import type { FunctionEffect } from '../../../domain/conversation/function-effect.ts'
import { copyJson, type Json } from '../../../domain/json.ts'

/** The greatest depth of JSON. Functions write at most 64 levels (FN23), within a part, within the list. */
const DEPTH = 70

/** Returns the messages, writes and actions of a function call as they are stored with the turn. */
export const jsonOfParts = (parts: readonly FunctionEffect[]): Json =>
  copyJson(JSON.parse(JSON.stringify(parts)), DEPTH) ?? []
