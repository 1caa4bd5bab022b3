import type { PerQueueStore } from '../../ports/store/desk-queues.ts'
import type { Kind } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { namedOver } from './named.ts'

/** Values of the queues of accounts, one document for each queue. */
export const perQueue = <
  Value extends { readonly accountId: string; readonly queueName: string; readonly version: number },
>(
  kind: Kind<Value>,
  over: Guarded,
): PerQueueStore<Value> => namedOver(over, kind, name => name)
