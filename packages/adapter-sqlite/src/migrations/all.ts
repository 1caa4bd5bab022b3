import type { Migration } from '../migrate.ts'
import { initial } from './0001-initial.ts'
import { deletedAgents } from './0002-deleted-agents.ts'
import { webhooks } from './0003-webhooks.ts'

/** Every migration in its order. A released one never changes; what is to change becomes the next one. */
export const MIGRATIONS: readonly Migration[] = [initial, deletedAgents, webhooks]
