import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf, readBytes } from '../../api.ts'
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

/** Plays the recorded calls of a conversation, and says with whose consent they were recorded. */
export function Player({ recordings, place, wanted }: PlayerProps) {
  const sound = useRef<HTMLAudioElement>(null)
  const [src, setSrc] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isEmpty = recordings.every(({ bytes }) => !bytes)
  const path = `${place}/audio`
  const load = (): void => {
    setError(null)
    setSrc(addressOf(path))
  }
  /** Loads it whole, where a browser does not say that the page itself asks, or to learn what is wrong. */
  const loadWhole = async (): Promise<void> => setSrc(URL.createObjectURL(await readBytes(path, 'audio/wav')))
  const failed = (reason: unknown): void => {
    setSrc(null)
    setError(reason)
  }
  useEffect(() => () => URL.revokeObjectURL(src ?? ''), [src])
  useEffect(() => {
    if (wanted !== null && src === null) load()
  }, [wanted])
  useEffect(() => {
    const { current } = sound
    if (wanted === null || current === null) return
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
          <audio
            ref={sound}
            src={src}
            controls
            onError={() => src.startsWith('blob:') || loadWhole().catch(failed)}
          />
        ))}
      <Failure error={error} />
    </section>
  )
}
