import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'

interface FoldedProps {
  /** Number of them that narrow the list. */
  readonly active: number
  readonly children: ComponentChildren
}

/** Filters that are shown, and read what they offer, when they are asked for. */
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
        {isOpen && children}
      </div>
    </>
  )
}
