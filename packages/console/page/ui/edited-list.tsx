import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useResource } from '../data/resource.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { Failure } from './failure.tsx'
import { type Column, Empty, Pending, Table } from './parts.tsx'

/** Texts of a list. Those of a row name it. */
interface ListTexts {
  readonly caption: string
  readonly why: string
  readonly create: string
  readonly none: string
  readonly change: string
  changeOf(name: string): string
  readonly remove: string
  removeOf(name: string): string
  readonly removeWhy: string
}

interface EditedListProps<Row> {
  readonly accountId: string
  readonly texts: ListTexts
  read(signal: AbortSignal): Promise<readonly Row[]>
  keyOf(row: Row): string
  /** The name by which a row is known to people. */
  nameOf(row: Row): string
  readonly columns: readonly Column<Row>[]
  /** The form for a row; null: for a new one. */
  form(
    row: Row | null,
    ends: { readonly onClose: () => void; readonly onDone: () => void },
  ): ComponentChildren
  remove(row: Row): Promise<unknown>
}

/** Shows a short list of an account, to whose rows people add, which they change and remove. */
export function EditedList<Row>({
  accountId,
  columns,
  form,
  keyOf,
  nameOf,
  read,
  remove,
  texts,
}: EditedListProps<Row>) {
  const { value, error, reload } = useResource(read, [accountId])
  const [edited, setEdited] = useState<{ readonly row: Row | null } | null>(null)
  const [removed, setRemoved] = useState<{ readonly row: Row } | null>(null)
  const close = (): void => {
    setEdited(null)
    setRemoved(null)
  }
  const done = (): void => {
    close()
    reload()
  }
  const actions = (row: Row) => (
    <div class="row-acts">
      <Button kind="bare" label={texts.changeOf(nameOf(row))} onClick={() => setEdited({ row })}>
        {texts.change}
      </Button>
      <Button kind="bare" label={texts.removeOf(nameOf(row))} onClick={() => setRemoved({ row })}>
        {texts.remove}
      </Button>
    </div>
  )
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{texts.why}</span>
        <Button kind="main" icon="add" onClick={() => setEdited({ row: null })}>
          {texts.create}
        </Button>
      </div>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && <Empty icon="desk" title={texts.none} />}
      {value !== undefined && value.length > 0 && (
        <Table
          caption={texts.caption}
          rows={value}
          keyOf={keyOf}
          columns={[...columns, { title: '', cell: actions }]}
        />
      )}
      {edited !== null && form(edited.row, { onClose: close, onDone: done })}
      {removed !== null && (
        <Confirm
          title={texts.removeOf(nameOf(removed.row))}
          why={texts.removeWhy}
          action={texts.remove}
          onClose={close}
          run={() => remove(removed.row)}
          onDone={done}
        />
      )}
    </section>
  )
}
