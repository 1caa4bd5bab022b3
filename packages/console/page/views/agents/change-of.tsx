import type { ComponentChildren } from 'preact'
import type { Change } from '../../data/merge-preview.ts'
import { Badge } from '../../ui/parts.tsx'
import { contentText } from './expectations.ts'
import { pathName } from './path-names.ts'
import { say } from './texts.ts'
import { type Part, wordDiff } from './word-diff.ts'

const TONES = { add: 'good', modify: 'accent', delete: 'bad' } as const

function Words({ parts, mark }: { readonly parts: readonly Part[]; readonly mark: 'ins' | 'del' }) {
  const Mark = mark
  return (
    <pre class="text">
      {parts.map(({ text, isSame }, at) => (isSame ? text : <Mark key={at}>{text}</Mark>))}
    </pre>
  )
}

interface SidesProps {
  readonly before: unknown
  readonly after: unknown
  readonly names: readonly [before: string, after: string]
}

/** Two values side by side, with the words marked that differ. */
export function Sides({ before, after, names }: SidesProps) {
  const [former, latter] = wordDiff(contentText(before), contentText(after))
  return (
    <div class="sides">
      <div>
        <p class="quiet small">{names[0]}</p>
        {before === null ? <p class="quiet">{say('absent')}</p> : <Words parts={former} mark="del" />}
      </div>
      <div>
        <p class="quiet small">{names[1]}</p>
        {after === null ? <p class="quiet">{say('absent')}</p> : <Words parts={latter} mark="ins" />}
      </div>
    </div>
  )
}

interface ChangeOfProps {
  readonly change: Change
  /** Names of the two sides. */
  readonly sides: readonly [before: string, after: string]
  /** Actions on a conflict; undefined if there is none. */
  readonly conflict?: ComponentChildren
  /** Content below. */
  readonly children?: ComponentChildren
}

/** Shows the old and the new value of one field. */
export function ChangeOf({ change, sides, conflict, children }: ChangeOfProps) {
  const { path, type, oursValue, theirsValue } = change
  return (
    <article class={`change ${conflict === undefined ? '' : 'conflict'}`}>
      <header class="actions apart">
        <h3>{pathName(path)}</h3>
        <Badge tone={TONES[type]}>{say(type)}</Badge>
      </header>
      <Sides before={oursValue} after={theirsValue} names={sides} />
      {conflict !== undefined && <div class="actions">{conflict}</div>}
      {children}
    </article>
  )
}
