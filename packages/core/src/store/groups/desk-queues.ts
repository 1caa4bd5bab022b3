import type { DeskQueueStore } from '../../ports/store/desk-queues.ts'
import type { Guarded } from '../guarded.ts'
import { DESK_QUEUE } from '../kinds.ts'
import { namedOver } from './named.ts'

/** Hours of the queues of accounts. */
export const deskQueuesOver = (over: Guarded): DeskQueueStore => namedOver(over, DESK_QUEUE, name => name)
