import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { go, href } from '../../router.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Badge, Empty, Pending, Table, Time } from '../../ui/parts.tsx'
import { type Rollout, shareShown, stateOf } from './rollout-share.ts'
import { say } from './rollout-texts.ts'
import { StartRollout } from './start-rollout.tsx'

const TONES = { running: 'good', parked: 'warn', ended: 'over' } as const

/** Shows how far a rollout is. */
export function RolloutState({ rollout }: { readonly rollout: Pick<Rollout, 'basisPoints' | 'end'> }) {
  const state = stateOf(rollout)
  return (
    <Badge tone={TONES[state]} pulses={state === 'running'}>
      {say(state)}
    </Badge>
  )
}

/** Returns the name of a rollout: its two versions. */
export const titleOf = ({ base, candidate }: Pick<Rollout, 'base' | 'candidate'>): string =>
  say('against', { candidate: candidate.artifactVersion, base: base.artifactVersion })

/** Shows the rollouts of an agent, newest first, and starts another. */
export function Rollouts({ agentId }: { readonly agentId: string }) {
  const { value, error, reload } = useResource(signal => api.listRollouts({ agentId }, { signal }), [agentId])
  const [isAsking, setAsking] = useState(false)
  const start = may('releaser') && (
    <Button icon="compare" kind="main" onClick={() => setAsking(true)}>
      {say('start')}
    </Button>
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <section class="stack">
      {value.rollouts.length === 0 ? (
        <Empty icon="compare" title={say('none')}>
          <p>{say('none.why')}</p>
          {start}
        </Empty>
      ) : (
        <>
          <div class="actions apart">
            <h2>{say('rollouts')}</h2>
            {start}
          </div>
          <Table
            caption={say('rollouts')}
            rows={value.rollouts}
            keyOf={({ id }) => id}
            columns={[
              {
                title: say('versions'),
                cell: rollout => (
                  <a href={href(['agents', agentId, 'rollouts', rollout.id])}>{titleOf(rollout)}</a>
                ),
              },
              { title: say('state'), cell: rollout => <RolloutState rollout={rollout} /> },
              { title: say('share'), cell: ({ basisPoints }) => shareShown(basisPoints), isNumber: true },
              { title: say('since'), cell: ({ startedAt }) => <Time at={startedAt} /> },
              { title: say('until'), cell: ({ end }) => end !== null && <Time at={end.at} /> },
              { title: ' ', cell: ({ environment }) => <EnvironmentName of={environment} /> },
            ]}
          />
        </>
      )}
      {isAsking && (
        <StartRollout
          agentId={agentId}
          onClose={() => setAsking(false)}
          onStarted={id => go(['agents', agentId, 'rollouts', id])}
        />
      )}
    </section>
  )
}
