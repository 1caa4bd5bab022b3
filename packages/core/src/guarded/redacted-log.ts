import { thrownDetails } from '../domain/thrown.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Redactor } from '../ports/redactor.ts'
import { redactedWords, WITHHELD } from '../shared/redacted-words.ts'
import { systemClock } from '../system/system.ts'
import { guardLog } from './log.ts'

/** Fields of a line that hold what functions, ports and services of the host threw or said. */
const WORDS = ['cause', 'error', 'failure', 'reason']

/** Lines that wait for the redactor at a time. Words of further ones are withheld, so that memory has a bound. */
const MOST_WAITING = 100

const ABOUT = { conversationId: null, language: null }

/** A log whose lines may wait for a redactor. */
export interface RedactedLog {
  readonly log: Log
  /** Resolves when every line is written that was begun before. */
  written(): Promise<void>
}

/** The time limit for the words of a line. */
interface Waiting {
  readonly clock: Pick<Clock, 'schedule'> | undefined
  limit(): number
}

type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : thrownDetails(value))

/**
 * Returns a log whose warnings and errors say nothing that the redactor takes out (RD8): it reads words of others
 * before a line is written. All lines of the platform pass this place.
 */
function redactLog(log: Log, redactor: Redactor, { clock = systemClock, limit }: Waiting): RedactedLog {
  const waiting = new Set<Promise<void>>()

  async function read(text: string): Promise<string> {
    try {
      const late = new Error('The redactor is late.')
      const asked = { about: ABOUT, clock, deadline: { limit: limit(), late } }
      return String((await redactedWords(redactor, text, asked)).text)
    } catch {
      // To report it would be another line for the redactor.
      return WITHHELD
    }
  }

  async function readAll(fields: Fields, names: readonly string[]): Promise<Fields> {
    const hasRoom = waiting.size < MOST_WAITING
    const texts = names.map(async name => [name, hasRoom ? await read(textOf(fields[name])) : WITHHELD])
    return { ...fields, ...Object.fromEntries(await Promise.all(texts)) }
  }

  function write(level: 'warn' | 'error', message: string, fields: Fields = {}): void {
    const names = WORDS.filter(name => fields[name] !== undefined)
    // The report on a redactor's own error holds none of its words (RD3).
    if (names.length === 0 || fields.where === 'redactor') {
      log[level](message, fields)
      return
    }
    const line: Promise<void> = readAll(fields, names).then(redacted => {
      waiting.delete(line)
      log[level](message, redacted)
    })
    waiting.add(line)
  }

  return {
    log: {
      ...log,
      warn: (message, fields) => write('warn', message, fields),
      error: (message, fields) => write('error', message, fields),
    },
    async written() {
      await Promise.all(waiting)
    },
  }
}

/** Returns the host's log, as the platform writes to it. */
export function openLog(given: Log | undefined, redactor: Redactor | null, waiting: Waiting): RedactedLog {
  const log = guardLog(given)
  return redactor === null ? { log, written: async () => undefined } : redactLog(log, redactor, waiting)
}
