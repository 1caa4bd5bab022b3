import { useEffect, useState } from 'preact/hooks'
import { download, pictureOf } from '../data/files.ts'
import type { SentFile } from '../data/sent-file.ts'
import { say } from '../texts/files.ts'
import { Icon } from './icon.tsx'

const KIB = 1_024

/** A size in words of the reader's language. */
function sizeOf(bytes: number): string {
  const isSmall = bytes < KIB * KIB
  return new Intl.NumberFormat(document.documentElement.lang || 'en', {
    ...{ style: 'unit', unit: isSmall ? 'kilobyte' : 'megabyte', maximumFractionDigits: 1 },
  }).format(isSmall ? Math.ceil(bytes / KIB) : bytes / (KIB * KIB))
}

interface PlaceProps {
  /** Path of the conversation or handoff that the files belong to, below the console's API. */
  readonly place: string
}

function File({ file, place }: PlaceProps & { readonly file: SentFile }) {
  const [src, setSrc] = useState<string | null>(null)
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    let isShown = true
    pictureOf(place, file)?.then(
      address => isShown && setSrc(address),
      () => isShown && setGone(true),
    )
    return () => {
      isShown = false
    }
  }, [place, file.file_id])
  const label = say('download', { name: file.name })
  const fetchIt = (): void => {
    download(place, file).then(
      () => setGone(false),
      () => setGone(true),
    )
  }
  return (
    <li>
      <button
        type="button"
        class={src === null ? 'sent-file' : 'sent-picture'}
        aria-label={label}
        title={label}
        onClick={fetchIt}
      >
        {src === null ? (
          <>
            <Icon name="content" />
            <span class="sent-name">{file.name}</span>
            <span class="quiet small">{sizeOf(file.size)}</span>
          </>
        ) : (
          <img src={src} alt={file.name} />
        )}
      </button>
      {isGone && (
        <p class="fault small" role="alert">
          {say('gone', { name: file.name })}
        </p>
      )}
    </li>
  )
}

/** Shows the files of a message: pictures as they are, and others with name and size. Each can be downloaded. */
export function SentFiles({
  files = [],
  place,
}: PlaceProps & { readonly files?: readonly SentFile[] | undefined }) {
  if (files.length === 0) return null
  return (
    <ul class="sent-files">
      {files.map(file => (
        <File key={file.file_id} file={file} place={place} />
      ))}
    </ul>
  )
}
