import { millisecondsInHour } from 'date-fns/constants'
import { ALERT_WINDOWS, type AlertRule } from '../../domain/alert/alert-rule.ts'
import { counterOf, figureOf, firstMinute, type ValueCount } from '../../domain/alert/counters.ts'
import { evaluated } from '../../domain/alert/decide.ts'
import type { AccountId } from '../../domain/ids.ts'
import { until } from '../../schedule/until.ts'
import { parkRollouts } from '../agents/rollouts/park-rollouts.ts'
import type { Context } from '../context.ts'
import { createSweep } from '../shared/sweep.ts'
import { alertOutbox } from './alert-event.ts'

/** The time until an account is checked again that another process has just claimed, milliseconds. */
const CLAIMED = 500
/**
 * The time between removals of counters that were kept long enough, milliseconds, and the minutes removed at a time.
 */
const FORGET_INTERVAL = millisecondsInHour
const FORGET_BATCH = 1_000

/** Evaluates alert rules. */
export interface AlertEvaluator {
  /** Starts no further round, and waits for the one in progress. */
  stop(): Promise<void>
}

/**
 * Evaluates the rules of accounts that it claims, every `Settings.alerts.evaluationInterval`. If several processes
 * share a store, one evaluates an account's rules. State and event are one write, guarded by the rule's version, so a
 * rule that two of them evaluate is still reported once.
 */
export function startAlertEvaluator(context: Context): AlertEvaluator {
  const { clock, counting, settings, store } = context
  const { counters, rules } = store.alerts
  const { counterRetention, evaluationInterval } = settings.alerts
  let stopped = false

  const forget = createSweep(clock, FORGET_INTERVAL, async () => {
    const removed = await counters.forget(clock.now() - counterRetention, FORGET_BATCH)
    return { more: removed === FORGET_BATCH }
  })

  /** Returns a measurement of the rules of an account. A window that several rules share is read once. */
  function measuring(accountId: AccountId, now: number) {
    const read = new Map<string, Promise<readonly ValueCount[]>>()
    return (rule: AlertRule): Promise<readonly ValueCount[]> => {
      const name = counterOf(rule.metric)
      const { agentId, deploymentId = null, window } = rule
      const key = JSON.stringify([agentId, deploymentId, name, window])
      const from = firstMinute(now, ALERT_WINDOWS[window])
      const of = {
        ...(agentId === null ? {} : { agentId }),
        ...(deploymentId === null ? {} : { deploymentId }),
      }
      const values = read.get(key) ?? counters.sum({ accountId, name, from, ...of })
      read.set(key, values)
      return values
    }
  }

  async function evaluateAccount(accountId: AccountId): Promise<void> {
    const now = clock.now()
    const measure = measuring(accountId, now)
    for (const before of await rules.list(accountId)) {
      if (stopped) return
      if (!before.enabled) continue
      const { rule, event } = evaluated(before, figureOf(before.metric, await measure(before)), now)
      // A rule that was changed meanwhile is evaluated in the next round.
      await rules.update(before.version, rule, alertOutbox(context, rule, event, now))
      await parkRollouts(context, rule)
    }
  }

  async function round(): Promise<number | null> {
    const now = clock.now()
    const accounts = await rules.claimAccounts(now, now + evaluationInterval)
    if (accounts.length > 0) await counting.flush()
    for (const accountId of accounts) {
      if (stopped) break
      await evaluateAccount(accountId)
    }
    await forget()
    return until(await rules.nextDue(), clock.now(), CLAIMED)
  }

  const job = context.scheduler.begin({ name: 'alerts', kind: 'alerts', round })
  return {
    async stop() {
      stopped = true
      await job.stop()
    },
  }
}
