import { type ComponentChildren, Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import { title as ownTitle } from '../attention.ts'
import { say } from '../texts/common.ts'
import { Icon } from './icon.tsx'

interface PageProps {
  readonly title: string
  /** Ways back, from the outermost. */
  readonly trail?: readonly (readonly [text: string, href: string])[]
  /** Picture beside the title. @default none */
  readonly mark?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** Shows a place of the console: its title, its actions, and its content. */
export function Page({ title, trail = [], mark, actions, children }: PageProps) {
  useEffect(() => {
    ownTitle.value = `${title} · ${say('console')}`
  }, [title])
  return (
    <main class="page" id="main" tabIndex={-1}>
      {trail.length > 0 && (
        <nav class="trail small" aria-label={say('trail')}>
          {trail.map(([text, href], at) => (
            <Fragment key={href}>
              {at > 0 && <Icon name="next" />}
              <a href={href}>{text}</a>
            </Fragment>
          ))}
        </nav>
      )}
      <header class="head">
        <div class="named">
          {mark}
          <h1>{title}</h1>
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}
