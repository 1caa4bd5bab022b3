import { useEffect, useRef, useState } from 'preact/hooks'
import { BytesRefused } from '../../api.ts'
import { sendFile } from '../../data/files.ts'
import { newId } from '../../data/new-id.ts'
import { problemOf, type SentFile } from '../../data/sent-file.ts'
import { me } from '../../session.ts'
import { say } from '../../texts/files.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** A file for the next message. */
interface Item {
  readonly key: string
  readonly name: string
  readonly abort: AbortController
  /** Null while it is on its way. */
  readonly sent: SentFile | null
}

const MIB = 1_048_576

/** The words for each status with which the server refuses a file. */
const REFUSED = { 409: 'full', 413: 'size', 415: 'wrong' } as const

function wordsFor(error: unknown): 'full' | 'size' | 'wrong' | 'lost' {
  const status = error instanceof BytesRefused ? error.status : 0
  return status === 409 || status === 413 || status === 415 ? REFUSED[status] : 'lost'
}

/** Files for the next message to a visitor: chosen, pasted or dropped. */
export function useAttaching(handoffId: string) {
  const [items, setItems] = useState<readonly Item[]>([])
  const [problem, setProblem] = useState('')
  const kept = useRef<readonly Item[]>([])
  const put = (next: readonly Item[]): void => {
    kept.current = next
    setItems(next)
  }
  useEffect(
    () => () => {
      for (const { abort } of kept.current) abort.abort()
      put([])
      setProblem('')
    },
    [handoffId],
  )
  const takes = me.value?.files ?? null
  const without = (key: string): readonly Item[] => kept.current.filter(one => one.key !== key)
  const told = (what: 'many' | 'type' | ReturnType<typeof wordsFor>, name: string): void => {
    const bytes = takes?.max_size_bytes ?? 0
    const n = what === 'many' ? (takes?.max_per_message ?? 0) : Math.floor((bytes / MIB) * 10) / 10
    setProblem(say(what, { name, n: String(n) }))
  }

  async function upload(file: File): Promise<void> {
    const item: Item = { key: newId(), name: file.name, abort: new AbortController(), sent: null }
    put([...kept.current, item])
    setProblem('')
    try {
      const sent = await sendFile(handoffId, file, item.abort.signal)
      put(kept.current.map(one => (one.key === item.key ? { ...one, sent } : one)))
    } catch (error) {
      if (!kept.current.some(({ key }) => key === item.key)) return
      put(without(item.key))
      told(wordsFor(error), item.name)
    }
  }

  return {
    takes,
    items,
    problem,
    isBusy: items.some(({ sent }) => sent === null),
    add(files: Iterable<File>): void {
      if (takes === null) return
      for (const file of files) {
        const why = problemOf(file, kept.current.length, takes)
        if (why === null) void upload(file)
        else told(why, file.name)
      }
    },
    remove({ abort, key }: Item): void {
      abort.abort()
      put(without(key))
    },
    /** Returns the files of the message that is sent now. */
    take(): readonly SentFile[] {
      const taken = kept.current.flatMap(({ sent }) => sent ?? [])
      put([])
      setProblem('')
      return taken
    },
  }
}

export type Attaching = ReturnType<typeof useAttaching>

/** The button that chooses files. Nothing where the host takes none. */
export function AttachButton({ attaching: { add, takes } }: { readonly attaching: Attaching }) {
  const input = useRef<HTMLInputElement>(null)
  if (takes === null) return null
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={takes.content_types.join()}
        onChange={event => {
          add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Button kind="bare" icon="attach" onClick={() => input.current?.click()}>
        {say('attach')}
      </Button>
    </>
  )
}

/** Shows the files for the next message, and why another one was refused. */
export function Attached({ attaching: { items, problem, remove } }: { readonly attaching: Attaching }) {
  return (
    <>
      {items.length > 0 && (
        <ul class="sent-files attached">
          {items.map(item => (
            <li
              key={item.key}
              class="sent-file"
              aria-busy={item.sent === null}
              title={item.sent === null ? say('sending', { name: item.name }) : item.name}
            >
              <Icon name="content" />
              <span class="sent-name">{item.name}</span>
              <button
                type="button"
                class="button bare"
                aria-label={say('remove', { name: item.name })}
                title={say('remove', { name: item.name })}
                onClick={() => remove(item)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== '' && (
        <p class="fault small" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
