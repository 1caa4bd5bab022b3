import type { ComponentChildren } from 'preact'
import { Time } from './parts.tsx'

interface SaidProps {
  /** Role of the speaker, which has its colour. */
  readonly kind: 'visitor' | 'agent' | 'person'
  readonly avatar: ComponentChildren
  readonly who: string
  /** Moment of it. @default none is shown */
  readonly at?: string
  /** Words of it, a bubble each; empty ones are left out. */
  readonly texts: readonly string[]
  /** Content below the words. @default nothing */
  readonly children?: ComponentChildren
}

/** Shows what somebody said, as an entry of a timeline: who, when, and the words. */
export function Said({ kind, avatar, who, at, texts, children }: SaidProps) {
  return (
    <div class={`said of-${kind}`}>
      {avatar}
      <div class="said-body">
        <p class="small quiet">
          <span class="speaker">{who}</span> {at !== undefined && <Time at={at} isShort />}
        </p>
        {texts
          .filter(text => text !== '')
          .map((text, place) => (
            <p class={kind === 'visitor' ? 'bubble own' : 'bubble'} key={place}>
              {text}
            </p>
          ))}
        {children}
      </div>
    </div>
  )
}
