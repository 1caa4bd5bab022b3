import type { Clock } from '../ports/clock.ts'
import type { Redaction, RedactionContext, Redactor } from '../ports/redactor.ts'
import { type Deadline, within } from './deadline.ts'

/** Stands in place of a text that no redactor has read to its end (RD3). */
export const WITHHELD = '[withheld]'

/** The conversation of a text, and the time limit for it. */
export interface Reading {
  readonly clock: Pick<Clock, 'schedule'>
  readonly deadline: Deadline
  readonly about: RedactionContext
}

/** Asks a redactor for a text without private parts. @throws what it throws, and the deadline's error */
export const redactedWords = (
  redactor: Redactor,
  text: string,
  { about, clock, deadline }: Reading,
): Promise<Redaction> => within(clock, deadline, async signal => redactor.redact(text, about, signal))
