import { listSettings } from '../../packages/core/src/settings/list-settings.ts'
import { defaultOf, rangeOf } from './setting-values.ts'
import { MADE, table } from './table.ts'

const INTRO = `# Settings

${MADE}

\`createPlatform\` takes its settings beside its ports, all of them optional:

\`\`\`ts
createPlatform({ store, runtime, sessionIdle: 900_000, limits: { replyLength: 20_000 } })
\`\`\`

What is left out, or undefined, has its default. An option that nothing reads, and a value that is not allowed, is refused when the platform is made; the
message says which, and what is allowed. Numbers are whole numbers where nothing else is said.

## Ports

| Option | Without it |
|---|---|
| store, runtime | There is no platform |
| log | Warnings and errors go to the console. \`silentLog\` keeps quiet |
| bus | Notices stay within the process |
| sharedLimits | Rates, failed authentications and the connections of a session are counted in each process for itself |
| clock, ids | The process's own |
| functions, liveAgents, webhookSender, embedder, recordings | No functions; the built-in desk; no webhooks; no search by meaning; no sound to listen to, and no calls recorded |
| workers | \`true\`: this process wakes conversations, sends webhooks and embeds turns |

A port that throws or rejects ends no process. It is told to \`onError\`; what that does not take goes to the log, and what the log does not take to the console. Where \`clock\` or \`ids\` fail, the
process's own take their place for that call.

Where \`sharedLimits\` fail, the process counts for itself until they answer again.

Several platforms of a process may share a store object; the last one that closes closes it.
`

const HEADS = ['Setting', 'Default', 'Allowed', 'Unit', 'What it does']

/** \`limits\` of \`limits.jsonDepth\`; empty for a setting of its own. */
const groupOf = (name: string): string => name.split('.').slice(0, -1).join('.')

/** The reference page about what a host may set. */
export function settingsPage(): string {
  const all = listSettings()
  const sectionOf = (group: string): string =>
    table(
      HEADS,
      all
        .filter(({ name, info }) => groupOf(name) === group && info.group !== true)
        .map(setting => {
          const { name, info } = setting
          return [
            `\`${name}\``,
            defaultOf(setting),
            rangeOf({ ...info, unit: null }) ?? info.allowed,
            info.unit ?? '',
            info.doc,
          ]
        }),
    )
  const groups = all.filter(({ info }) => info.group === true)
  return [
    INTRO,
    `## Settings of their own\n\n${sectionOf('')}`,
    ...groups.map(({ name, info }) => `## ${name}\n\n${info.doc}\n\n${sectionOf(name)}`),
  ].join('\n')
}
