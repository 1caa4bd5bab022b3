import { thrownMessage } from '../../../domain/thrown.ts'

/**
 * The message of a thrown value, as it is recorded: at most `length` characters, and never empty, also when reading it
 * throws (FN24).
 */
export function errorText(error: unknown, length: number): string {
  const text = thrownMessage(error).trim() || 'It failed without saying why.'
  if (text.length <= length) return text
  // Do not cut a surrogate pair in half.
  return `${text.slice(0, Math.max(length - 1, 0)).replace(/[\uD800-\uDBFF]$/, '')}…`
}
