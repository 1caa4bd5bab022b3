import type { Api } from '@colloquy/client/http'

/** An alert rule as the server answers it. */
export type Rule = Awaited<ReturnType<Api['listAlertRules']>>['data'][number]

/** Settings of a new rule. */
export type RuleSettings = Parameters<Api['createAlertRule']>[0]['body']

export const METRICS = [
  'turn_latency_p50',
  'turn_latency_p95',
  'function_errors',
  'call_crashes',
  'call_volume',
  'api_errors',
] as const satisfies readonly Rule['metric'][]

export const OPERATORS = ['>', '>=', '<', '<='] as const satisfies readonly Rule['operator'][]

/** Lengths of windows, minutes. */
export const WINDOWS = { '5m': 5, '10m': 10, '60m': 60 } as const satisfies Readonly<
  Record<Rule['window_duration'], number>
>

/** A rule as its form has it. */
export interface RuleDraft {
  readonly name: string
  /** `""` for the whole account. */
  readonly agentId: string
  /** `""` for all deployments of the agent. */
  readonly deploymentId: string
  readonly metric: Rule['metric']
  readonly operator: Rule['operator']
  /** As it was typed. */
  readonly threshold: string
  readonly window: Rule['window_duration']
  readonly enabled: boolean
}

export const NEW_RULE: RuleDraft = {
  ...{ name: '', agentId: '', deploymentId: '', metric: 'turn_latency_p95', operator: '>', threshold: '' },
  ...{ window: '10m', enabled: true },
}

export const draftOf = (rule: Rule): RuleDraft => ({
  ...{ name: rule.name, agentId: rule.project_id ?? '', metric: rule.metric, operator: rule.operator },
  ...{ deploymentId: rule.deployment_id ?? '' },
  ...{ threshold: String(rule.threshold_value), window: rule.window_duration, enabled: rule.enabled },
})

/**
 * Returns a number of digits alone: `4.000` is four thousand to some, and four to others. The server refuses what is
 * none.
 */
const numberOf = (text: string): number => (/^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Reports whether a rule can count one deployment alone: that of its agent, with a metric of turns. */
export const canHaveDeployment = ({ agentId, metric }: RuleDraft): boolean =>
  agentId !== '' && metric !== 'call_volume' && metric !== 'api_errors'

/** Returns the settings in a draft, as the server takes them. */
export const settingsOf = (draft: RuleDraft): RuleSettings => ({
  ...{ name: draft.name, project_id: draft.agentId || null, metric: draft.metric },
  ...{ operator: draft.operator, threshold_value: numberOf(draft.threshold) },
  ...{ window_duration: draft.window, enabled: draft.enabled },
  deployment_id: (canHaveDeployment(draft) && draft.deploymentId) || null,
})

/** Returns the settings of a draft that differ from the rule's. So changes by others in the meantime are kept. */
export function changesOf(draft: RuleDraft, rule: Rule): Partial<RuleSettings> {
  const before: Readonly<Record<string, unknown>> = settingsOf(draftOf(rule))
  return Object.fromEntries(
    Object.entries(settingsOf(draft)).filter(([name, value]) => before[name] !== value),
  )
}

export const isWhole = ({ name, threshold }: RuleDraft): boolean =>
  name.trim() !== '' && threshold.trim() !== ''

/** Alerts that were seen while the page was open, by the ids of their rules. */
export interface Seen {
  readonly firing: readonly string[]
  /** They fired, and do no longer. */
  readonly over: readonly string[]
}

export const NOTHING_SEEN: Seen = { firing: [], over: [] }

/** Returns the alerts seen after another check of the rules. */
export function seenAfter({ firing, over }: Seen, rules: readonly Rule[]): Seen {
  const before = new Set([...firing, ...over])
  const idsOf = (some: readonly Rule[]): readonly string[] => some.map(({ id }) => id)
  return {
    firing: idsOf(rules.filter(({ current_state: state }) => state === 'alert')),
    over: idsOf(rules.filter(({ id, current_state: state }) => state !== 'alert' && before.has(id))),
  }
}
