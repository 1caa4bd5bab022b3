import type { DeskNote } from '@colloquy/client/http'
import { useRef, useState } from 'preact/hooks'
import type { api } from '../../api.ts'
import { askConsole } from '../../api.ts'
import { withNotes } from '../../data/notes.ts'
import type { Resource } from '../../data/resource.ts'
import { useWatched } from '../../data/watched.ts'
import type { Recording } from './recording.ts'
import type { Line, Turn } from './woven.ts'

/** A conversation's record without its turns. */
export type Record_ = Omit<Awaited<ReturnType<typeof api.readConversation>>, 'turns' | 'function_events'>

/** A conversation as far as it has come. */
export interface Transcript {
  readonly record: Record_
  readonly turns: readonly Turn[]
  readonly lines: readonly Line[]
  /** Recordings of its calls, earliest first. */
  readonly recordings: readonly Recording[]
  /** Notes of colleagues. Null for readers who do not sit at the desk. */
  readonly notes: readonly DeskNote[] | null
}

interface Part {
  readonly conversation: Record_
  readonly turns: readonly Turn[]
  readonly lines: readonly Line[]
  readonly recordings?: readonly Recording[]
  readonly notes?: readonly DeskNote[]
  readonly next: { readonly turns: number; readonly sequence: number; readonly notes: number }
  readonly more: boolean
}

/**
 * Interval at which a conversation is checked, milliseconds: one in progress, and one that has ended, which may still
 * be rated.
 */
const PACE = { running: 1_500, over: 15_000 }

/** Reads a conversation and follows it. New lines arrive automatically, and only those are requested. */
export function useTranscript(accountId: string, agentId: string, id: string): Resource<Transcript> {
  const read = useRef<(Transcript & Pick<Part, 'next'>) | undefined>(undefined)
  const [pace, setPace] = useState(PACE.running)
  const path = [accountId, agentId, 'conversations', id, 'transcript'].map(encodeURIComponent).join('/')
  return useWatched(
    async signal => {
      let known = read.current
      for (let more = true; more; ) {
        const { turns = 0, sequence = 0, notes = 0 } = known?.next ?? {}
        const question = `/console/v1/${path}?turns=${turns}&sequence=${sequence}&notes=${notes}`
        const part = (await askConsole(question, signal)) as Part
        known = {
          record: part.conversation,
          turns: [...(known?.turns ?? []), ...part.turns],
          lines: [...(known?.lines ?? []), ...part.lines],
          recordings: part.recordings ?? [],
          notes: part.notes === undefined ? null : withNotes(known?.notes ?? [], part.notes),
          next: part.next,
        }
        more = part.more
      }
      if (known === undefined) throw new Error('A transcript has a part.')
      read.current = known
      setPace(known.record.in_progress ? PACE.running : PACE.over)
      return known
    },
    [path],
    pace,
  )
}
