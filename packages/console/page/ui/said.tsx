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
  /** The part of the words that was heard. @default all of them */
  readonly heard?: string | undefined
  /** Content below the words. @default nothing */
  readonly children?: ComponentChildren
}

/** Shows what somebody said, as an entry of a timeline: who, when, and the words. */
export function Said({ kind, avatar, who, at, texts, heard, children }: SaidProps) {
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
              {heard ?? text}
              {heard !== undefined && <span class="unheard">{text.slice(heard.length)}</span>}
            </p>
          ))}
        {children}
      </div>
    </div>
  )
}
