import { turnWords } from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { fromJson } from '../json.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const placeWord = (scope: number, unit: 'd' | 'h', number: number): string =>
  `s${scope}${unit}${number < 0 ? 'm' : ''}${Math.abs(number)}`

/** The functions by which the migration of version 7 indexes turns that are there already. */
export function defineSearchFunctions(database: Database): void {
  database.function('search_words', { deterministic: true }, (record, side) => {
    const words = turnWords({ record: fromJson(String(record)) })
    return (side === 'user' ? words.user : words.agent).join(' ')
  })
  database.function('search_place', { deterministic: true }, (given, startedAt) => {
    const [scope, at] = [Number(given), Number(startedAt)]
    return `${placeWord(scope, 'd', Math.floor(at / DAY))} ${placeWord(scope, 'h', Math.floor(at / HOUR))}`
  })
}
