import { useEffect } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAgentTrail } from '../../data/agent-trail.ts'
import { useDoers } from '../../data/doers.ts'
import { useResource } from '../../data/resource.ts'
import { href } from '../../router.ts'
import { say as sayDoer } from '../../texts/doers.ts'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Pending, Table, Time } from '../../ui/parts.tsx'
import { valueText } from '../../value-text.ts'
import { expectationText } from './expectations.ts'
import { TestTrend } from './test-trend.tsx'
import { say } from './texts.ts'
import { counts, useRunTitles, Verdict } from './verdict.tsx'

type Run = Awaited<ReturnType<typeof api.readTestRun>>
type Case = Run['results'][number]

/** Interval at which a run in progress is checked, milliseconds. */
const LOOK = 1_500

/** Number of runs shown. */
const SHOWN = 100

/** Shows the tests of an agent, newest first. */
export function TestRuns({ agentId }: { readonly agentId: string }) {
  const { value, error, reload } = useResource(
    signal => api.listTestRuns({ agentId, limit: SHOWN }, { signal }),
    [agentId],
  )
  const titleOf = useRunTitles(agentId)
  const whoIs = useDoers((value?.testRuns ?? []).flatMap(({ startedBy }) => startedBy ?? []))
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  if (value.testRuns.length === 0)
    return (
      <Empty icon="tests" title={say('runs.none')}>
        <p>{say('runs.none.why')}</p>
        <a class="button" href={href(['agents', agentId, 'branches'])}>
          <Icon name="branch" />
          {say('branches')}
        </a>
      </Empty>
    )
  return (
    <section class="stack">
      <TestTrend agentId={agentId} runs={value.testRuns} titleOf={titleOf} />
      <Table
        caption={say('test-runs')}
        rows={value.testRuns}
        keyOf={({ id }) => id}
        columns={[
          {
            title: say('run.started'),
            cell: ({ id, startedAt }) => (
              <a href={href(['agents', agentId, 'tests', id])}>
                <Time at={startedAt} />
              </a>
            ),
          },
          { title: say('what'), cell: titleOf },
          { title: say('where'), cell: ({ environment }) => <EnvironmentName of={environment} /> },
          { title: sayDoer('who'), cell: ({ startedBy }) => startedBy && whoIs(startedBy) },
          { title: say('run.result'), cell: ({ status }) => <Verdict status={status} /> },
          { title: say('run.passed'), cell: counts },
        ]}
      />
    </section>
  )
}

interface TurnsProps {
  readonly turns: Case['turns']
}

function Turns({ turns }: TurnsProps) {
  return (
    <ol class="turns">
      {turns.map((turn, at) => (
        <li class="turn" key={at}>
          <p class="bubble own">{turn.text}</p>
          <p class="bubble">
            <span class="unseen">{say('run.reply')}: </span>
            {turn.reply}
          </p>
          <Verdicts verdicts={turn.verdicts} />
        </li>
      ))}
    </ol>
  )
}

interface VerdictsProps {
  readonly verdicts: readonly {
    readonly expectation: string
    readonly passed: boolean
    readonly expected?: unknown
    readonly actual?: unknown
  }[]
}

function Verdicts({ verdicts }: VerdictsProps) {
  return verdicts.map(({ expectation, passed, expected, actual }, at) => (
    <p class={passed ? 'quiet small' : 'fault small'} key={at}>
      {passed ? '✓' : '✗'} {expectationText(expectation, expected)}
      {!passed && ` · ${say('actual')}: ${valueText(actual)}`}
    </p>
  ))
}

/** Shows the talks of a visitor who talks back, and how many of them passed. */
function Talks({ talks }: { readonly talks: NonNullable<Case['talks']> }) {
  const passed = talks.filter(({ status }) => status === 'passed').length
  return (
    <>
      <p class="quiet">{say('visitor.rate', { passed, talks: talks.length })}</p>
      {talks.map((talk, at) => (
        <section class="stack tight" key={at}>
          <h3>
            {say('visitor.talk', { number: at + 1 })} <Verdict status={talk.status} />
          </h3>
          {talk.error !== null && <p class="fault small">{talk.error}</p>}
          <Turns turns={talk.turns} />
          <Verdicts verdicts={talk.verdicts} />
        </section>
      ))}
    </>
  )
}

function CaseOf({ result }: { readonly result: Case }) {
  return (
    <article class="change">
      <header class="actions apart">
        <h2>{result.name}</h2>
        <Verdict status={result.status} />
      </header>
      {result.error !== null && result.talks === undefined && (
        <p class="fault">{say('run.broke', { why: result.error })}</p>
      )}
      {result.talks === undefined ? <Turns turns={result.turns} /> : <Talks talks={result.talks} />}
    </article>
  )
}

interface TestRunProps {
  readonly agentId: string
  readonly testRunId: string
}

/** One run of tests: those that failed first. While it goes on, it is looked at again. */
export function TestRun({ agentId, testRunId }: TestRunProps) {
  const { value, error, reload } = useResource(
    signal => api.readTestRun({ agentId, testRunId }, { signal }),
    [agentId, testRunId],
  )
  useEffect(() => {
    if (value?.status !== 'running') return
    const timer = setTimeout(reload, LOOK)
    return () => clearTimeout(timer)
  }, [value])
  const titleOf = useRunTitles(agentId)
  const trail = useAgentTrail(agentId, 'tests', say('test-runs'))
  return (
    <Page title={value === undefined ? say('test-runs') : titleOf(value)} trail={trail}>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <section class="stack narrow">
          <p>
            <Verdict status={value.status} /> {counts(value)} · <Time at={value.startedAt} />
          </p>
          {value.error !== null && <p class="fault">{say('run.broke', { why: value.error })}</p>}
          {value.results
            .toSorted((one, other) => Number(one.status === 'passed') - Number(other.status === 'passed'))
            .map(result => (
              <CaseOf key={result.testCaseId} result={result} />
            ))}
        </section>
      )}
    </Page>
  )
}
