import { useEffect, useState } from 'preact/hooks'
import { may } from '../../session.ts'
import { Badge, Table, Time } from '../../ui/parts.tsx'
import { NOTHING_SEEN, type Rule, seenAfter } from './rule.ts'
import { say } from './texts.ts'
import { amount, boundOf, windowOf } from './words.tsx'

function sentenceOf(rules: readonly Rule[], firing: number): string {
  if (firing > 0) return firing === 1 ? say('now.one') : say('now.many', { count: firing })
  if (rules.some(({ enabled }) => enabled)) return say('now.none')
  return say(may('operator') ? 'now.off' : 'now.off.others')
}

interface NowProps {
  readonly rules: readonly Rule[]
  readonly nameOf: (agentId: string | null) => string
}

/** Shows the current alerts, and those that ended while the page was open. */
export function Now({ rules, nameOf }: NowProps) {
  const [seen, setSeen] = useState(NOTHING_SEEN)
  useEffect(() => setSeen(before => seenAfter(before, rules)), [rules])
  const firing = rules.filter(({ current_state: state }) => state === 'alert')
  const over = rules.filter(({ id, current_state: state }) => state !== 'alert' && seen.over.includes(id))
  const shown = [...firing, ...over.filter(({ since }) => since !== null)]
  // Times of the server in one format: the order of texts is that of times.
  const evaluated = rules
    .flatMap(({ last_evaluated_at: at }) => (at === null ? [] : [at]))
    .sort()
    .at(-1)
  return (
    <section class="stack" aria-labelledby="alerts-now">
      <h2 id="alerts-now">{say('now')}</h2>
      <div class="actions apart">
        <p role="status">{sentenceOf(rules, firing.length)}</p>
        {evaluated !== undefined && (
          <p class="quiet small">
            {say('evaluated')} <Time at={evaluated} />
          </p>
        )}
      </div>
      {shown.length > 0 && (
        <Table
          caption={say('title')}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              title: say('alert'),
              cell: ({ name, project_id }) => (
                <>
                  {name} <span class="quiet small block">{nameOf(project_id)}</span>
                </>
              ),
            },
            {
              title: say('state'),
              cell: ({ current_state: state, enabled }) => (
                <>
                  <Badge tone={state === 'alert' ? 'bad' : 'good'}>
                    {say(state === 'alert' ? 'state.alert' : 'state.over')}
                  </Badge>
                  {!enabled && state === 'alert' && <p class="quiet small">{say('now.stays')}</p>}
                </>
              ),
            },
            {
              title: say('value'),
              cell: ({ metric, current_value: value, window_duration }) => (
                <>
                  {value === null ? say('state.no_data') : amount(metric, value)}{' '}
                  <span class="quiet small block">
                    {say(`metric.${metric}`)}, {windowOf(window_duration)}
                  </span>
                </>
              ),
            },
            { title: say('bound'), cell: boundOf },
            { title: say('since'), cell: ({ since }) => since !== null && <Time at={since} /> },
          ]}
        />
      )}
    </section>
  )
}
