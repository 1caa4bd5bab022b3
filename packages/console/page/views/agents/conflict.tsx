import { useState } from 'preact/hooks'
import type { Change } from '../../data/merge-preview.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { ChangeOf } from './change-of.tsx'
import { say } from './texts.ts'

/** Chosen resolution of a conflict. */
export type Choice = { readonly take: 'ours' | 'theirs' } | { readonly take: 'own'; readonly text: string }

interface ConflictProps {
  readonly change: Change
  readonly sides: readonly [before: string, after: string]
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

/** A conflict, with what can be done about it: one of the two sides, or a text in the place of both. */
export function Conflict({ change, sides, choice, onChoose }: ConflictProps) {
  const { oursValue, theirsValue } = change
  const isText = typeof oursValue === 'string' && typeof theirsValue === 'string'
  const [draft, setDraft] = useState(typeof theirsValue === 'string' ? theirsValue : '')
  const write = (text: string): void => {
    setDraft(text)
    onChoose({ take: 'own', text })
  }
  return (
    <ChangeOf
      change={change}
      sides={sides}
      conflict={
        <>
          <Button pressed={choice?.take === 'ours'} onClick={() => onChoose({ take: 'ours' })}>
            {say('take.main')}
          </Button>
          <Button pressed={choice?.take === 'theirs'} onClick={() => onChoose({ take: 'theirs' })}>
            {say('take.branch')}
          </Button>
          {isText && (
            <Button pressed={choice?.take === 'own'} onClick={() => write(draft)}>
              {say('take.own')}
            </Button>
          )}
        </>
      }
    >
      {choice?.take === 'own' && (
        <TextArea label={say('take.own.label')} value={choice.text} onChange={write} rows={4} />
      )}
    </ChangeOf>
  )
}
