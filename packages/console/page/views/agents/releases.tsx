import { useDoers } from '../../data/doers.ts'
import { usePastReleases } from '../../data/past-releases.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayDoer } from '../../texts/doers.ts'
import { Button } from '../../ui/button.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Table, Time } from '../../ui/parts.tsx'
import { Lanes } from './lanes.tsx'
import { say } from './texts.ts'

/** Shows the release of each environment, its history, and the next possible steps. */
export function Releases({ agentId }: { readonly agentId: string }) {
  const { value, error, reload } = usePastReleases(agentId)
  const whoIs = useDoers((value ?? []).map(({ createdBy }) => createdBy))
  return (
    <section class="stack">
      <Failure error={error} again={reload} />
      <Lanes agentId={agentId} onDone={reload}>
        {(current, begin) =>
          value !== undefined &&
          value.length > 0 && (
            <>
              <div class="actions apart">
                <h2>{say('history')}</h2>
                <a class="button" href={href(['agents', agentId, 'compare'])}>
                  {say('compare')}
                </a>
              </div>
              <Table
                caption={say('history')}
                rows={value}
                keyOf={({ id }) => id}
                columns={[
                  { title: say('when'), cell: ({ createdAt }) => <Time at={createdAt} /> },
                  { title: say('where'), cell: ({ environment }) => <EnvironmentName of={environment} /> },
                  {
                    title: say('what'),
                    cell: ({ artifactVersion }) => (
                      <span class="together">{say('version', { version: artifactVersion })}</span>
                    ),
                  },
                  { title: say('type'), cell: ({ metadata }) => say(`type.${metadata.deployment_type}`) },
                  { title: sayDoer('who'), cell: ({ createdBy }) => whoIs(createdBy) },
                  { title: say('why'), cell: ({ metadata }) => metadata.deployment_message },
                  {
                    title: '',
                    cell: one =>
                      may('releaser') &&
                      current?.[one.environment]?.id !== one.id && (
                        <Button
                          icon="undo"
                          kind="bare"
                          onClick={() => begin({ kind: 'rollback', lane: one.environment, deployment: one })}
                        >
                          {say('rollback')}
                        </Button>
                      ),
                  },
                ]}
              />
            </>
          )
        }
      </Lanes>
    </section>
  )
}
