import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAgentTrail } from '../../data/agent-trail.ts'
import { useDoers } from '../../data/doers.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayDoer } from '../../texts/doers.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Badge, Pending, Table, Time } from '../../ui/parts.tsx'
import { RolloutFigures } from './rollout-figures.tsx'
import { basisPointsOf, percentText, type Rollout, shareShown } from './rollout-share.ts'
import { say } from './rollout-texts.ts'
import { RolloutState, titleOf } from './rollouts.tsx'
import { say as sayAgents } from './texts.ts'

type Side = 'base' | 'candidate'

const SIDES = ['base', 'candidate'] as const

interface EndProps {
  readonly rollout: Rollout
  readonly winner: Side
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Confirms the end of a rollout. */
function EndRollout({ rollout, winner, onClose, onDone }: EndProps) {
  const { agentId, id: rolloutId } = rollout
  const written = useWritten(`${rolloutId} end`, { message: '' })
  const { message } = written.value
  const version = rollout[winner].artifactVersion
  const end = useAction(async () => {
    await api.endRollout({ agentId, rolloutId, body: { winner, deploymentMessage: message } })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={say(`end.${winner}.title`, { version })}
      action={say(`end.${winner}`, { version })}
      onClose={onClose}
      onSend={() => void end.start()}
      pending={end.pending}
      error={end.error}
    >
      <p>{say('end.why')}</p>
      {winner === 'candidate' && (
        <TextField
          label={say('message')}
          value={message}
          onChange={text => written.change({ message: text })}
        />
      )}
    </FormDialog>
  )
}

/** The share of a rollout in progress, and its end. */
function Steering({ rollout, onDone }: { readonly rollout: Rollout; readonly onDone: () => void }) {
  const { agentId, basisPoints, id: rolloutId } = rollout
  const written = useWritten(`${rolloutId} share`, { share: percentText(basisPoints) })
  const wanted = basisPointsOf(written.value.share)
  const [winner, setWinner] = useState<Side | null>(null)
  const set = useAction(async () => {
    if (wanted === null) return
    await api.updateRollout({ agentId, rolloutId, body: { basisPoints: wanted } })
    onDone()
  })
  return (
    <>
      <form
        class="filters"
        onSubmit={event => {
          event.preventDefault()
          void set.start()
        }}
      >
        <TextField
          label={say('share')}
          fault={wanted === null ? say('share.wrong') : null}
          keys="numeric"
          value={written.value.share}
          onChange={share => written.change({ share })}
        />
        <Button type="submit" disabled={set.pending || wanted === null || wanted === basisPoints}>
          {say('share.set')}
        </Button>
        {SIDES.map(side => (
          <Button key={side} kind={side === 'candidate' ? 'main' : 'plain'} onClick={() => setWinner(side)}>
            {say(`end.${side}`, { version: rollout[side].artifactVersion })}
          </Button>
        ))}
      </form>
      <Failure error={set.error} />
      {winner !== null && (
        <EndRollout
          rollout={rollout}
          winner={winner}
          onClose={() => setWinner(null)}
          onDone={() => {
            setWinner(null)
            onDone()
          }}
        />
      )}
    </>
  )
}

function Versions({ rollout }: { readonly rollout: Rollout }) {
  const { agentId, basisPoints, end, environment } = rollout
  const shares = { base: 10_000 - basisPoints, candidate: basisPoints }
  return (
    <div class="lanes">
      {SIDES.map(side => (
        <section class={`lane ${rollout[side].environment}`} key={side} aria-label={say(side)}>
          <h2>{say(side)}</h2>
          <p class="version">{sayAgents('version', { version: rollout[side].artifactVersion })}</p>
          <p class="actions">
            <EnvironmentName of={rollout[side].environment} />
            {end === null && <span>{shareShown(shares[side])}</span>}
            <a href={href(['conversations', agentId], { environment, version: rollout[side].deploymentId })}>
              {say('theirs', { version: rollout[side].artifactVersion })}
            </a>
            <a
              href={href(['agents', agentId, 'unanswered'], {
                ...{ environment, version: rollout[side].deploymentId },
              })}
            >
              {say('unanswered', { version: rollout[side].artifactVersion })}
            </a>
            {end?.winner === side && <Badge tone="good">{say('winner')}</Badge>}
          </p>
        </section>
      ))}
    </div>
  )
}

interface RolloutPageProps {
  readonly agentId: string
  readonly rolloutId: string
}

/** One rollout: its versions, its share, and how the sides compare. */
export function RolloutPage({ agentId, rolloutId }: RolloutPageProps) {
  const { value, error, reload } = useResource(
    signal => api.readRollout({ agentId, rolloutId }, { signal }),
    [agentId, rolloutId],
  )
  const shares = value?.shares ?? []
  const end = value?.end ?? null
  const whoIs = useDoers([...shares.map(({ by }) => by), ...(end === null ? [] : [end.by])], value?.guards)
  const trail = useAgentTrail(agentId, 'rollouts', say('rollouts'))
  return (
    <Page
      title={value === undefined ? say('rollouts') : titleOf(value)}
      trail={trail}
      actions={value !== undefined && <RolloutState rollout={value} />}
    >
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <section class="stack">
          <p class="quiet">
            <EnvironmentName of={value.environment} /> {say('since')} <Time at={value.startedAt} />
            {end !== null && (
              <>
                {` · ${say('until')} `}
                <Time at={end.at} />
                {` · ${say('ended.by', { who: whoIs(end.by) })}`}
                {end.early && ` · ${say(`early.${end.early}`)}`}
              </>
            )}
          </p>
          <Versions rollout={value} />
          {value.end === null && may('releaser') && (
            <Steering key={value.basisPoints} rollout={value} onDone={reload} />
          )}
          <RolloutFigures report={value} />
          <h2>{say('shares')}</h2>
          <Table
            caption={say('shares')}
            rows={shares.toReversed()}
            keyOf={({ at, basisPoints }) => `${at} ${basisPoints}`}
            columns={[
              { title: say('when'), cell: ({ at }) => <Time at={at} /> },
              { title: say('share'), cell: ({ basisPoints }) => shareShown(basisPoints), isNumber: true },
              { title: sayDoer('who'), cell: ({ by }) => whoIs(by) },
            ]}
          />
        </section>
      )}
    </Page>
  )
}
