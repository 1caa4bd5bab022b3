import { DOCUMENTS } from '../../documents/tables.ts'
import { AUDIT } from './audit.ts'
import { CONVERSATIONS } from './conversations.ts'
import { FIGURES } from './figures.ts'
import { NOTICES } from './notices.ts'

/** All tables with their indexes and triggers, as SQL. */
export const SCHEMA = [CONVERSATIONS, FIGURES, AUDIT, NOTICES, DOCUMENTS].join('\n')
