import { DOCUMENTS } from '../../documents/tables.ts'
import { AUDIT } from './audit.ts'
import { CONVERSATIONS } from './conversations.ts'
import { FIGURES } from './figures.ts'
import { NOTICES } from './notices.ts'
import { VOICES } from './voices.ts'

/** All tables with their indexes and triggers, as SQL. */
export const SCHEMA = [CONVERSATIONS, FIGURES, AUDIT, NOTICES, VOICES, DOCUMENTS].join('\n')
