import type { Api } from '@colloquy/client/http'

/** A replay that is over. */
export type ReplayReport = Awaited<ReturnType<Api['readReplay']>>

type Group = ReplayReport['groups'][number]

/** A turn of a replay beside the recorded one. */
type Turn = Awaited<ReturnType<Api['listReplayTurns']>>['turns'][number]

/** A replay with some turns of each of its groups. */
export interface ShownReplay {
  readonly report: ReplayReport
  readonly groups: readonly (Group & { readonly examples: readonly Turn[] })[]
}

/** Returns a number of turns in words. */
export const counted = (turns: number): string => (turns === 1 ? '1 turn' : `${turns} turns`)

/** The turns of a group that a report shows. */
export const EXAMPLES = 3

/** The verdicts that fail a command: graver ones always do. */
export type FailOn = 'worse' | 'changed'

const FAILING: Readonly<Record<FailOn, readonly Group['verdict'][]>> = {
  worse: ['worse', 'errored'],
  changed: ['worse', 'errored', 'changed', 'off_script'],
}

/** Returns the groups for which a command fails. Accepted ones are as they should be. */
export const failures = <One extends Pick<Group, 'verdict' | 'accepted'>>(
  groups: readonly One[],
  failOn: FailOn | null,
): readonly One[] =>
  failOn === null
    ? []
    : groups.filter(({ verdict, accepted }) => accepted === null && FAILING[failOn].includes(verdict))

const topic = (name: string): string => (name === '' ? 'no topic' : name)

const nameOf = ({ verdict, reason, from, to }: Group): string =>
  `${verdict} (${reason}): ${from === to ? topic(from) : `${topic(from)} → ${topic(to)}`}`

/** Characters that XML 1.0 cannot hold. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const xml = (text: string): string =>
  text.replace(NO_XML, '?').replace(/[&<>"]/g, found => ENTITIES[found] ?? found)

/** Returns what the judge of the replay said of a turn, as one text; none where it was not asked. */
const opinionsOf = ({ judged }: Turn): readonly string[] =>
  judged === undefined
    ? []
    : [judged === null ? 'it failed, so the rule decided' : `${judged.reason} (by rule: ${judged.rule})`]

const said = (turn: Turn): string =>
  turn.recorded === null
    ? 'The conversation was erased.'
    : [
        `Conversation ${turn.conversationId}, turn ${turn.turn}`,
        `Visitor: ${turn.recorded.userInput}`,
        `Then: ${turn.recorded.reply}`,
        `Now: ${turn.reply}`,
        ...opinionsOf(turn).map(opinion => `Judge: ${opinion}`),
      ].join('\n')

/** Returns a replay as a JUnit report: a test case for each group, and one for the turns that are the same. */
export function junitOf({ report, groups }: ShownReplay, failOn: FailOn | null): string {
  const failing = new Set(failures(groups, failOn))
  const cases = groups.map(group => {
    const name = `${nameOf(group)}, ${counted(group.turns)}`
    const begin = `    <testcase classname="replay" name="${xml(name)}"`
    if (!failing.has(group)) return `${begin}/>`
    const text = group.examples.map(said).join('\n\n')
    return `${begin}>\n      <failure message="${xml(name)}">${xml(text)}</failure>\n    </testcase>`
  })
  const isErrored = report.status === 'errored'
  const whole = `    <testcase classname="replay" name="${xml(`same, ${counted(report.verdicts.same)}`)}"`
  const last = isErrored
    ? `${whole}>\n      <error message="${xml(report.error ?? '')}"/>\n    </testcase>`
    : `${whole}/>`
  const counts = `tests="${cases.length + 1}" failures="${failing.size}" errors="${isErrored ? 1 : 0}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${xml(report.id)}" ${counts}>
${[...cases, last].join('\n')}
  </testsuite>
</testsuites>
`
}

/** Returns a text in one line of Markdown, which shows it as it is. */
const markdown = (text: string): string =>
  text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, found => `\\${found}`)

const quoted = (turn: Turn): string =>
  turn.recorded === null
    ? '- The conversation was erased.'
    : [
        `- ${markdown(turn.recorded.userInput)}`,
        `  - then: ${markdown(turn.recorded.reply)}`,
        `  - now: ${markdown(turn.reply)}`,
        ...opinionsOf(turn).map(opinion => `  - judge: ${markdown(opinion)}`),
        `  - ${markdown(turn.conversationId)}`,
      ].join('\n')

/** Returns the sentence on the judge of a replay; none where it was not asked. */
const judgedOf = ({ judge: { failed, judged } }: ReplayReport): string =>
  judged + failed === 0 ? '' : ` A judge compared ${counted(judged)} and failed for ${counted(failed)}.`

/** Returns a replay as Markdown: its verdicts, and some turns of each group. */
export function markdownOf({ report, groups }: ShownReplay): string {
  const { id, verdicts, noise, conversations, erased, status } = report
  const all = Object.values(verdicts).reduce((sum, turns) => sum + turns, 0)
  const gone = erased === 0 ? '' : ` (${erased} erased since)`
  const rows = Object.entries(verdicts).map(([verdict, turns]) => `| ${markdown(verdict)} | ${turns} |`)
  const parts = groups.map(group => {
    const accepted = group.accepted === null ? '' : `\n\nAccepted: ${markdown(group.accepted.why)}`
    return `## ${markdown(nameOf(group))}\n\n${counted(group.turns)}${accepted}\n\n${group.examples.map(quoted).join('\n')}`
  })
  const head = `# Replay ${markdown(id)}\n\n${status}: ${counted(all)} of ${conversations} conversations${gone}. Asked of the version that answered then, ${noise.different} of ${noise.turns} differed.${judgedOf(report)}`
  return `${[head, `| Verdict | Turns |\n|---|---|\n${rows.join('\n')}`, ...parts].join('\n\n')}\n`
}
