import { useEffect, useRef, useState } from 'preact/hooks'
import { saveFile, today } from '../../data/save-file.ts'
import { me } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { locale } from '../../texts/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { type Exported, FORMATS, type Format, headOf, MEDIA_TYPES, NOTHING, withPage } from './exporting.ts'
import { type OfAgents, oldestOf, readingOf } from './reading.ts'
import { say } from './texts.ts'

/** Conversations of one request. */
const PAGE = 200

/** The least time between two requests, milliseconds: so the person's other requests stay within the rate of one. */
const PACE = 40

const paused = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds))

interface ExportProps {
  readonly of: OfAgents
  readonly filters: Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Reads on in a list, page by page, until its end, its bound, or until it is stopped. */
function useExport({ of, filters }: ExportProps, format: Format, most: number) {
  const [exported, setExported] = useState<Exported>(NOTHING)
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  async function read(): Promise<void> {
    const abort = new AbortController()
    stop.current = abort
    setReading(true)
    setError(null)
    let now = exported
    try {
      const { read } = readingOf(of, filters, PAGE)
      const oldest = (await oldestOf(of, filters, abort.signal)) ?? Date.now()
      while (now.cursor !== null && now.count < most) {
        const [page] = await Promise.all([read({ cursor: now.cursor }, abort.signal), paused(PACE)])
        if (abort.signal.aborted) break
        now = withPage(now, page, { format, most, oldest })
        setExported(now)
      }
    } catch (failure) {
      if (!abort.signal.aborted) setError(failure)
    }
    setReading(false)
  }

  return {
    exported,
    error,
    isReading,
    isDone: exported.cursor === null || exported.count >= most,
    read,
    stop: () => stop.current?.abort(),
  }
}

/** Exports the conversations that the list shows, as a file that the page makes of the pages it reads. */
export function Export(props: ExportProps) {
  const most = me.value?.most_exported ?? 0
  const [format, setFormat] = useState<Format>('csv')
  const { exported, error, isReading, isDone, read, stop } = useExport(props, format, most)
  const { count, cursor, parts, share } = exported
  const counted = new Intl.NumberFormat(locale()).format(count)
  const isBegun = parts.length > 0 || isReading
  const saveIt = () =>
    saveFile(`conversations-${today()}.${format}`, MEDIA_TYPES[format], [headOf(format), ...parts])
  useEffect(() => {
    if (isDone) saveIt()
  }, [isDone])
  return (
    <Dialog title={say('export.title')} onClose={props.onClose}>
      {isBegun ? (
        <>
          <progress max={1} value={isDone ? 1 : share} aria-label={say('export.title')} />
          <p role="status">{say(isDone ? 'export.done' : 'export.count', { count: counted })}</p>
          {isDone && cursor !== null && <p class="quiet small">{say('export.most', { count: counted })}</p>}
        </>
      ) : (
        <div class="stack tight">
          <p>{say('export.why')}</p>
          <Select
            label={say('export.format')}
            value={format}
            onChange={value => setFormat(FORMATS.find(one => one === value) ?? 'csv')}
            options={FORMATS.map(one => [one, say(`export.${one}`)] as const)}
          />
        </div>
      )}
      <Failure error={error} />
      <div class="actions">
        {isReading ? (
          <Button icon="close" onClick={stop}>
            {say('export.stop')}
          </Button>
        ) : (
          <>
            <Button kind="bare" onClick={props.onClose}>
              {sayCommon(isDone ? 'close' : 'cancel')}
            </Button>
            {isBegun && (
              <Button icon="download" onClick={saveIt}>
                {say(isDone ? 'export.again' : 'export.part')}
              </Button>
            )}
            {!isDone && (
              <Button kind="main" icon={isBegun ? 'play' : 'download'} onClick={() => void read()}>
                {say(isBegun ? 'export.on' : 'export')}
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
