import { useEffect, useRef, useState } from 'preact/hooks'
import { readBytes } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Time } from '../../ui/parts.tsx'
import type { Recording } from './recording.ts'
import { say } from './texts.ts'

/** A place to which the player goes, in seconds. Another object each time. */
export interface Wanted {
  readonly seconds: number
}

interface PlayerProps {
  readonly recordings: readonly Recording[]
  /** Path of the conversation, below the console's API. */
  readonly place: string
  readonly wanted: Wanted | null
}

/** Loads the sound of a conversation, as an address for a player. @throws BytesRefused */
const soundOf = async (place: string): Promise<string> =>
  URL.createObjectURL(await readBytes(`${place}/audio`, 'audio/wav'))

/** Plays the recorded calls of a conversation, and says with whose consent they were recorded. */
export function Player({ recordings, place, wanted }: PlayerProps) {
  const sound = useRef<HTMLAudioElement>(null)
  const [src, setSrc] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isEmpty = recordings.every(({ bytes }) => !bytes)
  const load = (): void => {
    setError(null)
    soundOf(place).then(setSrc, setError)
  }
  useEffect(() => () => URL.revokeObjectURL(src ?? ''), [src])
  useEffect(() => {
    const { current } = sound
    if (wanted === null) return
    if (current === null) return load()
    current.currentTime = wanted.seconds
    // A browser may want a press for that.
    current.play().catch(() => {})
  }, [wanted, src])
  return (
    <section class="card stack tight" aria-label={say('recording')}>
      <h2>{say('recording')}</h2>
      {recordings.map(({ consent, end, id }) => (
        <p key={id} class="small quiet">
          {say(`by.${consent.by}`)} <Time at={consent.at} isShort />
          {end && end !== 'complete' && ` · ${say(`end.${end}`)}`}
        </p>
      ))}
      {/* What was withdrawn meanwhile is not played any more. */}
      {!isEmpty &&
        (src === null ? (
          <Button icon="play" onClick={load}>
            {say('load')}
          </Button>
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it
          <audio ref={sound} src={src} controls />
        ))}
      <Failure error={error} />
    </section>
  )
}
