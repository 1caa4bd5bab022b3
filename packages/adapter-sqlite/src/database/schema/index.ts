import { DOCUMENTS } from '../../documents/tables.ts'
import { CONVERSATIONS } from './conversations.ts'
import { FIGURES } from './figures.ts'

/** All tables with their indexes and triggers, as SQL. */
export const SCHEMA = [CONVERSATIONS, FIGURES, DOCUMENTS].join('\n')
