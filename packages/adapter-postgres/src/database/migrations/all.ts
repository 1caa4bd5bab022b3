import type { Migration } from '../migrate.ts'
import { initial } from './0001-initial.ts'

/** All migrations, in order. A released one never changes. */
export const MIGRATIONS: readonly Migration[] = [initial]
