import type { ComponentChildren } from 'preact'
import { say } from '../texts/common.ts'
import { written } from '../texts/language.ts'
import { useCurrentInSight } from './current-in-sight.ts'
import { Icon, type IconName } from './icon.tsx'
import { useShownFor } from './shown-for.ts'

/** Delay before progress is shown, milliseconds. */
const NOTICED = 300

/** Says that something is awaited, once that takes long enough to be noticed. Without a text, lines show its place. */
export function Pending({ text }: { readonly text?: string }) {
  if (!useShownFor(NOTICED)) return null
  if (text !== undefined)
    return (
      <p class="pending quiet" role="status">
        {text}
      </p>
    )
  return (
    <div class="pending" role="status">
      <span class="unseen">{say('loading')}</span>
      <div class="skeleton" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  )
}

/** Shows an empty place: a picture, the reason, and the next step. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <div class="picture">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Badge({
  children,
  tone = 'plain',
  pulses = false,
}: {
  readonly children: ComponentChildren
  /** Meaning of its colour: `over` is what has ended, `person` a live agent. */
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent' | 'over' | 'person'
  /** Whether it goes on now. @default false */
  readonly pulses?: boolean
}) {
  return <span class={`badge ${tone}${pulses ? ' pulses' : ''}`}>{children}</span>
}

interface TimeProps {
  readonly at: string
  /** Whether the day is left out if it is today, and otherwise its year if it is this one. @default false */
  readonly isShort?: boolean
}

/** A moment, as the language of the page writes it; to the second when pointed at. */
export function Time({ at, isShort = false }: TimeProps) {
  const date = new Date(at)
  const now = new Date()
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const short: Intl.DateTimeFormatOptions | undefined =
    isShort && date.toDateString() === now.toDateString()
      ? clock
      : isShort && date.getFullYear() === now.getFullYear()
        ? { day: 'numeric', month: 'short', ...clock }
        : undefined
  return (
    <time dateTime={at} title={written(at, { dateStyle: 'full', timeStyle: 'long' })}>
      {written(at, short)}
    </time>
  )
}

export interface Column<Row> {
  readonly title: string
  /** Content of its heading. @default the title */
  readonly heading?: ComponentChildren
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand to the right. */
  readonly isNumber?: boolean
}

export interface TableProps<Row> {
  /** Description of the table for people who do not see it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Shows a table. On a phone each row is a block, and each cell a line with the title of its column. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scrolls sheet" tabIndex={0} aria-label={caption}>
      <table class="stacked">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, heading = title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={isNumber ? 'number' : undefined} data-title={title || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [name: string, text: string, href: string])[]
  readonly current: string
}

/** Shows tabs as links, each with a URL of its own. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const row = useCurrentInSight(current)
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map(([name, text, href]) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}
