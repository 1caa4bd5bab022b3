import type { ComponentChildren } from 'preact'
import { say } from '../texts/turns.ts'
import { Badge } from './parts.tsx'

/** A call of a function, as a record and a debug chat have it. */
export type FunctionEvent = Readonly<Record<string, unknown>>

export interface TurnDetailsProps {
  /** Names of the topics that matched, the best first. */
  readonly topics: readonly string[]
  /** The one that the answer was taken from; empty if there is none. */
  readonly cited: string
  readonly functions: readonly FunctionEvent[]
  readonly intents?: readonly string[]
  /** As they were after the turn, where that is kept. @default none */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Texts that are longer are folded, characters. */
const LONG = 160

const jsonOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')

/** Shows a value by its name; a long one is folded. */
function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = jsonOf(value)
  if (text.length <= LONG)
    return (
      <p>
        <span class="quiet">{name}</span> <code>{text.replace(/\n\s*/g, ' ')}</code>
      </p>
    )
  return (
    <details>
      <summary>
        <span class="quiet">{name}</span> <code>{text.slice(0, LONG / 2).replace(/\n\s*/g, ' ')} …</code>
      </summary>
      <pre>{text}</pre>
    </details>
  )
}

/** Reports whether the call of a function failed. */
export const isFailed = ({ error }: FunctionEvent): boolean =>
  error !== undefined && error !== null && error !== ''

function Call({ event }: { readonly event: FunctionEvent }) {
  const { name, arguments: given, result, error, duration_ms: took } = event
  return (
    <li>
      <p>
        <code class="strong">{String(name ?? '')}</code>{' '}
        {typeof took === 'number' && (
          <span class="quiet">{say('took', { milliseconds: Math.round(took) })}</span>
        )}{' '}
        {isFailed(event) && <Badge tone="bad">{say('failed')}</Badge>}
      </p>
      <Value name={say('arguments')} value={given ?? {}} />
      {isFailed(event) ? (
        <Value name={say('error')} value={error} />
      ) : (
        <Value name={say('result')} value={result ?? null} />
      )}
    </li>
  )
}

function Detail({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Shows the agent's work at a turn: matching topics, functions with their results, intents, variables. */
export function TurnDetails({ topics, cited, functions, intents = [], variables = {} }: TurnDetailsProps) {
  const named = Object.entries(variables)
  if (topics.length + functions.length + intents.length + named.length === 0) return null
  return (
    <dl class="small">
      {topics.length > 0 && (
        <Detail title={say('topics')}>
          {topics.map((name, at) => (
            <Badge key={at} tone={name === cited ? 'accent' : 'plain'}>
              {name === cited && topics.length > 1 ? say('topics.cited', { name }) : name}
            </Badge>
          ))}
        </Detail>
      )}
      {functions.length > 0 && (
        <Detail title={say('functions')}>
          <ul class="calls">
            {functions.map((event, at) => (
              <Call key={at} event={event} />
            ))}
          </ul>
        </Detail>
      )}
      {intents.length > 0 && (
        <Detail title={say('intents')}>
          {intents.map((name, at) => (
            <Badge key={at}>{name}</Badge>
          ))}
        </Detail>
      )}
      {named.length > 0 && (
        <Detail title={say('variables')}>
          {named.map(([name, value]) => (
            <code key={name}>
              {name} = {JSON.stringify(value)}
            </code>
          ))}
        </Detail>
      )}
    </dl>
  )
}
