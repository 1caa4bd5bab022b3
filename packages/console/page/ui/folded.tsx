import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'

interface FoldedProps {
  /** Number of them that narrow the list. */
  readonly active: number
  readonly children: ComponentChildren
}

/** Filters that a phone shows when they are asked for: its first screen is for what they narrow. */
export function Folded({ active, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <div class="unfold">
        <Button icon="filter" onClick={() => setOpen(!isOpen)} expanded={isOpen} controls={id}>
          {active === 0 ? say('filters') : say('filters.set', { count: active })}
        </Button>
      </div>
      <div id={id} class={isOpen ? 'folded open' : 'folded'}>
        {children}
      </div>
    </>
  )
}
