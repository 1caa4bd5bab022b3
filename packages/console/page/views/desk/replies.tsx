import { useState } from 'preact/hooks'
import { useWritten } from '../../data/written.ts'
import { kept } from '../../kept.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { repliesOf } from './canned.ts'
import { say } from './texts.ts'

const stored = kept('desk-replies', text => JSON.stringify(repliesOf(text)))

interface RepliesProps {
  readonly onChoose: (reply: string) => void
  readonly onClose: () => void
}

/** Replies that are written once and said often. This device keeps them. */
export function Replies({ onChoose, onClose }: RepliesProps) {
  const written = useWritten('desk new reply', { text: '' })
  const { text } = written.value
  const [removed, setRemoved] = useState<{
    readonly reply: string
    readonly before: readonly string[]
  } | null>(null)
  const replies = repliesOf(stored.value)
  const keep = (next: readonly string[]): void => {
    stored.value = JSON.stringify(next)
  }
  const add = (): void => {
    const reply = text.trim()
    if (reply === '') return
    keep([...replies.filter(one => one !== reply), reply])
    written.sent()
  }
  return (
    <Dialog title={say('replies')} onClose={onClose}>
      <div class="stack">
        {replies.length === 0 ? (
          <p class="quiet">{say('replies.none')}</p>
        ) : (
          <ul class="desk-replies">
            {replies.map(reply => (
              <li key={reply}>
                <button class="desk-reply" type="button" onClick={() => onChoose(reply)}>
                  {reply}
                </button>
                <IconButton
                  icon="close"
                  label={say('replies.remove', { text: reply })}
                  onClick={() => {
                    keep(replies.filter(one => one !== reply))
                    setRemoved({ reply, before: replies })
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        {removed !== null && (
          <UndoNote
            text={sayCommon('deleted', { name: removed.reply })}
            undo={async () => {
              // Puts it back in its place, among replies added since.
              const added = replies.filter(one => !removed.before.includes(one))
              keep([...removed.before, ...added])
            }}
            onUndone={() => setRemoved(null)}
          />
        )}
        <TextArea
          label={say('replies.new')}
          value={text}
          onChange={given => written.change({ text: given })}
          rows={2}
        />
        <div class="actions">
          <Button kind="bare" onClick={onClose}>
            {sayCommon('close')}
          </Button>
          <Button icon="add" onClick={add} disabled={text.trim() === ''}>
            {say('replies.add')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
