import { useEffect, useState } from 'preact/hooks'
import { readConsole, sendConsole } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { saveFile, today } from '../../data/save-file.ts'
import { route, setQuery } from '../../router.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Pending, Time } from '../../ui/parts.tsx'
import { say } from './visitor-texts.ts'

/** Counts of the data that is stored about a visitor. */
interface Summary {
  readonly conversations: number
  readonly in_progress: number
  readonly first_at: string | null
  readonly last_at: string | null
  readonly text_numbers: number
}

/** Names of a visitor in the address, and in requests. */
const WAYS = { visitor: 'visitor_id', phone: 'phone_number' } as const
type Way = keyof typeof WAYS

const PATH = '/console/v1/visitor'

function Found({ summary }: { readonly summary: Summary }) {
  const { conversations, first_at: first, in_progress: inProgress, last_at: last } = summary
  return (
    <Facts>
      <Fact name={say('conversations')}>{conversations}</Fact>
      {inProgress > 0 && <Fact name={say('in-progress')}>{inProgress}</Fact>}
      {first !== null && (
        <Fact name={say('first')}>
          <Time at={first} />
        </Fact>
      )}
      {last !== null && (
        <Fact name={say('last')}>
          <Time at={last} />
        </Fact>
      )}
      {summary.text_numbers > 0 && <Fact name={say('numbers')}>{summary.text_numbers}</Fact>}
    </Facts>
  )
}

interface EraseProps {
  readonly visitor: string
  readonly summary: Summary
  readonly erase: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before everything is removed, and names what goes and what stays. */
function Erase({ visitor, summary, erase, onClose }: EraseProps) {
  const act = useAction(erase)
  const { conversations, in_progress: inProgress } = summary
  return (
    <FormDialog
      title={say('erase.title', { visitor })}
      action={say('erase')}
      onClose={onClose}
      onSend={() => void act.start().then(isDone => isDone && onClose())}
      pending={act.pending}
      error={act.error}
      isDangerous
    >
      <p>{say('erase.why', { count: conversations - inProgress })}</p>
      {inProgress > 0 && <p>{say('erase.open', { count: inProgress })}</p>}
      <p class="quiet small">{say('erase.recordings')}</p>
    </FormDialog>
  )
}

/** Shows what is stored about one visitor, and exports or erases it. */
function OneVisitor({ accountId, visitor, way }: { accountId: string; visitor: string; way: Way }) {
  const body = { [WAYS[way]]: visitor }
  const { value, error, reload } = useResource(
    async signal => (await sendConsole(PATH, body, signal)) as Summary,
    [accountId, way, visitor],
  )
  const [isErasing, setErasing] = useState(false)
  const [erased, setErased] = useState<number | null>(null)
  const exporting = useAction(async () => {
    const file = await readConsole(`${PATH}/export`, body)
    saveFile(`visitor-${today()}.jsonl`, 'application/jsonl', [file])
  })
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const isNothing = value.conversations === 0 && value.text_numbers === 0
  return (
    <>
      {erased !== null && (
        <p class="note" role="status">
          {say('erased', { count: erased })}
        </p>
      )}
      {isNothing ? (
        <p role="status">{say('none')}</p>
      ) : (
        <div class="card stack">
          <Found summary={value} />
          <Failure error={exporting.error} />
          {exporting.pending && <Pending text={sayCommon('working')} />}
          <div class="actions">
            <Button icon="download" disabled={exporting.pending} onClick={() => void exporting.start()}>
              {say('export')}
            </Button>
            <Button icon="delete" kind="danger" onClick={() => setErasing(true)}>
              {say('erase')}
            </Button>
          </div>
        </div>
      )}
      {isErasing && (
        <Erase
          visitor={visitor}
          summary={value}
          onClose={() => setErasing(false)}
          erase={async () => {
            const answer = await sendConsole(`${PATH}/remove`, body)
            setErased(Number(Reflect.get(Object(answer), 'conversations')))
            reload()
          }}
        />
      )}
    </>
  )
}

/** Finds a visitor by the id that the host gave, or by a phone number. The address has both. */
export function VisitorData({ accountId }: { readonly accountId: string }) {
  const { phone, visitor } = route.value.query
  const given = phone ?? visitor ?? ''
  const [way, setWay] = useState<Way>(phone === undefined ? 'visitor' : 'phone')
  const [text, setText] = useState(given)
  const wanted = text.trim()
  // A link from a conversation leads to this part of the page.
  useEffect(() => {
    if (given !== '') document.getElementById('visitor-data')?.scrollIntoView()
  }, [])
  return (
    <section class="stack narrow" aria-labelledby="visitor-data">
      <h2 id="visitor-data">{say('title')}</h2>
      <p class="quiet">{say('why')}</p>
      <form
        class="filters"
        onSubmit={event => {
          event.preventDefault()
          setQuery({ visitor: undefined, phone: undefined, [way]: wanted })
        }}
      >
        <Select
          label={say('by')}
          value={way}
          onChange={value => setWay(value === 'phone' ? 'phone' : 'visitor')}
          options={(['visitor', 'phone'] as const).map(one => [one, say(`by.${one}`)] as const)}
        />
        <TextField label={say(`by.${way}`)} value={text} onChange={setText} required />
        <Button type="submit" icon="search" disabled={wanted === ''}>
          {say('find')}
        </Button>
      </form>
      {given !== '' && (
        <OneVisitor
          key={`${phone} ${visitor}`}
          accountId={accountId}
          visitor={given}
          way={phone === undefined ? 'visitor' : 'phone'}
        />
      )}
    </section>
  )
}
