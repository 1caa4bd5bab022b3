import { DOCUMENTS } from '../../documents/tables.ts'
import { ACCESS } from './access.ts'
import { AGENTS } from './agents.ts'
import { CONVERSATIONS } from './conversations.ts'
import { FIGURES } from './figures.ts'
import { NOTICES } from './notices.ts'
import { TELEPHONY } from './telephony.ts'

/** All tables with their indexes and triggers, as SQL. */
export const SCHEMA = [AGENTS, CONVERSATIONS, FIGURES, ACCESS, NOTICES, TELEPHONY, DOCUMENTS].join('\n')
