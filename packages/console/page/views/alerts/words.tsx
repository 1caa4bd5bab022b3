import { locale } from '../../texts/language.ts'
import { Badge, Time } from '../../ui/parts.tsx'
import { type Rule, WINDOWS } from './rule.ts'
import { say } from './texts.ts'

/** Reports whether a metric is a time in milliseconds; all others count. */
export const isTime = (metric: Rule['metric']): boolean => metric.startsWith('turn_latency')

/** Returns a number with its unit, which stay on one line. */
const measure = (value: number, style: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale(), style).format(value).replaceAll(' ', '\u00a0')

/** Returns a number of a metric, with its unit. */
export const amount = (metric: Rule['metric'], value: number): string =>
  measure(value, isTime(metric) ? { style: 'unit', unit: 'millisecond' } : {})

export const windowOf = (name: Rule['window_duration']): string =>
  measure(WINDOWS[name], { style: 'unit', unit: 'minute', unitDisplay: 'long' })

/** Describes the threshold of a rule: `more than 4,000 ms`. */
export const boundOf = ({ metric, operator, threshold_value: threshold }: Rule): string =>
  `${say(operator)} ${amount(metric, threshold)}`

/** Describes the condition of a rule, as a sentence without its agent. */
export const conditionOf = ({ metric, operator, threshold_value, window_duration }: Rule): string =>
  say('condition', {
    ...{ metric: say(`metric.${metric}`), operator: say(operator) },
    ...{ threshold: amount(metric, threshold_value), window: windowOf(window_duration) },
  })

const TONES = { alert: 'bad', ok: 'good', no_data: 'plain', unknown: 'plain' } as const

/** Shows the state of a rule. If it is switched off, only an alert is still shown. */
export function State({ rule }: { readonly rule: Rule }) {
  const { enabled, current_state: state, since } = rule
  const counts = enabled || state === 'alert'
  return (
    <>
      {!enabled && <Badge tone="over">{say('state.off')}</Badge>}{' '}
      {counts && <Badge tone={TONES[state]}>{say(`state.${state}`)}</Badge>}{' '}
      {counts && since !== null && (
        <span class="quiet small block together">
          {say('since.at')} <Time at={since} />
        </span>
      )}
    </>
  )
}
