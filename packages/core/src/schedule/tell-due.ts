import type { Clock } from '../ports/clock.ts'
import type { ConversationAppend } from '../ports/store/conversations.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import type { Store } from '../ports/store/store.ts'
import { overlaid } from '../shared/overlaid.ts'
import type { Scheduler } from './scheduler.ts'

/** The time that turns wait for others to be embedded with them, milliseconds. */
const EMBEDDED_AFTER = 500

/** The answer of a write: one word, or an object with it. */
type Answer = string | { readonly status: string }

type Word<T extends Answer> = T extends { readonly status: infer Status } ? Status : T

interface Ports {
  readonly clock: Pick<Clock, 'now'>
  readonly scheduler: Pick<Scheduler, 'due'>
  /** Whether this process embeds turns. */
  readonly embeds: boolean
  /** Whether the host has a port for files. */
  readonly files: boolean
}

/** Returns the answer of a write. If it is `written`, calls `told` before the caller goes on. */
function after<T extends Answer>(answer: Promise<T>, written: Word<T>, told: () => void): Promise<T> {
  return answer.then(answered => {
    if ((typeof answered === 'string' ? answered : answered.status) === written) told()
    return answered
  })
}

/** Returns the groups whose writes make bytes of files due. */
function filesDue(
  { files: kept, removals }: Store['conversations'],
  { clock, files, scheduler }: Pick<Ports, 'clock' | 'files' | 'scheduler'>,
) {
  const atOnce = (): void => {
    if (files) scheduler.due('files', clock.now())
  }
  return {
    files: overlaid(kept, {
      async expect(id, due) {
        await kept.expect(id, due)
        scheduler.due('files', due)
      },
    }),
    removals: overlaid(removals, {
      async removeFinished(scope, finishedBefore, limit) {
        const step = await removals.removeFinished(scope, finishedBefore, limit)
        if (step.removed > 0) atOnce()
        return step
      },
      remove: (accountId, agentId, id, outbox) =>
        after(removals.remove(accountId, agentId, id, outbox), 'removed', atOnce),
    }),
  }
}

/** Returns the same store, which notifies the scheduler of all writes that make something due. */
export function tellDue(store: Store, { clock, embeds, files, scheduler }: Ports): Store {
  const { agents, alerts, conversations, webhooks } = store
  const { rollouts, testRuns } = agents
  const { externalEvents, outboundCalls, turnVectors } = conversations
  const { deliveries, endpoints } = webhooks

  const atOnce = (kind: 'alerts' | 'conversations' | 'webhooks'): void => scheduler.due(kind, clock.now())

  const kept = (outbox: Outbox | undefined): void =>
    outbox?.webhooks === undefined ? undefined : atOnce('webhooks')

  function grown({ outbox, turns, wakeAt }: Pick<ConversationAppend, 'outbox' | 'turns' | 'wakeAt'>): void {
    if (wakeAt !== null) scheduler.due('conversations', wakeAt)
    kept(outbox)
    if (turns.length > 0 && embeds) scheduler.due('turns', clock.now() + EMBEDDED_AFTER)
  }

  return {
    ...store,
    agents: overlaid(agents, {
      rollouts: overlaid(rollouts, {
        change: (change, outbox) => after(rollouts.change(change, outbox), 'changed', () => kept(outbox)),
      }),
      testRuns: overlaid(testRuns, {
        // One that is given back is due at once.
        save: (writes, next, results, outbox) =>
          after(testRuns.save(writes, next, results, outbox), 'written', () => {
            if (next.status === 'running') scheduler.due('tests', next.leaseUntil)
            kept(outbox)
          }),
      }),
    }),
    conversations: overlaid(conversations, {
      create: created => after(conversations.create(created), 'created', () => grown(created)),
      append: append => after(conversations.append(append), 'appended', () => grown(append)),
      externalEvents: overlaid(externalEvents, {
        accept: event => after(externalEvents.accept(event), 'accepted', () => atOnce('conversations')),
      }),
      turnVectors: overlaid(turnVectors, {
        async release(embedderId, claim) {
          await turnVectors.release(embedderId, claim)
          if (embeds) scheduler.due('turns', clock.now())
        },
      }),
      ...filesDue(conversations, { clock, files, scheduler }),
      outboundCalls: overlaid(outboundCalls, {
        save: (call, version) =>
          after(outboundCalls.save(call, version), 'saved', () => scheduler.due('calls', call.dueAt)),
      }),
    }),
    webhooks: {
      endpoints: overlaid(endpoints, {
        update: (version, next, outbox) =>
          after(endpoints.update(version, next, outbox), 'written', () => atOnce('webhooks')),
      }),
      deliveries: overlaid(deliveries, {
        keepEvent: (event, endpointId) =>
          after(deliveries.keepEvent(event, endpointId), 'kept', () => atOnce('webhooks')),
        update: (version, next, exchange) =>
          after(deliveries.update(version, next, exchange), 'written', () => {
            if (next.dueAt !== null) scheduler.due('webhooks', next.dueAt)
          }),
      }),
    },
    alerts: {
      ...alerts,
      rules: overlaid(alerts.rules, {
        create: (rule, limit, outbox) =>
          after(alerts.rules.create(rule, limit, outbox), 'created', () => atOnce('alerts')),
        async update(version, next, outbox) {
          const answered = await alerts.rules.update(version, next, outbox)
          if (answered !== 'written') return answered
          kept(outbox)
          // A rule that was changed, not one that was evaluated: its account has its turn.
          if (outbox?.audit !== undefined) atOnce('alerts')
          return answered
        },
        delete: (accountId, id, version, outbox) =>
          after(alerts.rules.delete(accountId, id, version, outbox), 'deleted', () => kept(outbox)),
      }),
    },
  }
}
