import { shortened } from '../../../domain/cut-text.ts'
import { thrownMessage } from '../../../domain/thrown.ts'

/**
 * Returns the message of a thrown value, as it is recorded: at most `length` characters, and never empty, also when
 * reading it throws (FN23).
 */
export function errorText(error: unknown, length: number): string {
  return shortened(thrownMessage(error).trim() || 'It failed without saying why.', length)
}
