import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/composing.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Badge, Empty, Pending } from '../../ui/parts.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { nextCell } from './grid-keys.ts'
import { SaveState, type SavingDraft, savingDraft } from './save-state.tsx'
import { say } from './texts.ts'

type Variant = Awaited<ReturnType<typeof api.listVariants>>['variants'][number]
type Attribute = Awaited<ReturnType<typeof api.listAttributes>>['attributes'][number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface PartProps extends PlaceProps {
  readonly isFixed: boolean
  /** Called with how far its saving has come. */
  readonly onState: (id: string, draft: SavingDraft) => void
  readonly onRemove: () => void
}

/** A field for each value begins with this; the rest is the attribute's id. */
const VALUE = 'value '

/** Returns a variant as its row has it. */
const fieldsOf = ({ name, attributeValues: { values } }: Variant): Readonly<Record<string, string>> => ({
  name,
  ...Object.fromEntries(Object.entries(values).map(([id, value]) => [VALUE + id, String(value)])),
})

/** Returns the values among the fields of a row, by the ids of their attributes. */
const valuesOf = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      field.startsWith(VALUE) ? [[field.slice(VALUE.length), value]] : [],
    ),
  )

interface RowProps extends PartProps {
  readonly variant: Variant
  readonly attributes: readonly Attribute[]
  readonly onDefault: () => void
}

function Row({ variant, attributes, isFixed, onState, onRemove, onDefault, ...place }: RowProps) {
  const { id: variantId, isDefault } = variant
  // All values are written at once, so all of them are expected. A cell that somebody else has changed is kept.
  const server = useRef(valuesOf(fieldsOf(variant)))
  const draft = useAutosave(`${place.agentId} ${place.branchId} variant ${variantId}`, fieldsOf(variant), {
    async read() {
      const fields = fieldsOf(await api.readVariant({ ...place, variantId }))
      server.current = valuesOf(fields)
      return fields
    },
    async save(change, expected, all) {
      const values = Object.fromEntries(
        Object.entries(valuesOf(all)).filter(([id]) => attributes.some(one => one.id === id)),
      )
      const body = {
        ...(change.name === undefined ? {} : { name: change.name }),
        attributeValues: { values },
        expected: {
          ...(expected.name === undefined ? {} : { name: expected.name }),
          attributeValues: { values: server.current },
        },
      }
      await api.updateVariant({ ...place, variantId, body })
      server.current = values
    },
  })
  const { value } = draft
  const { name = '' } = value
  const labelOf = (field: string): string =>
    `${variant.name}: ${attributes.find(({ id }) => VALUE + id === field)?.name ?? sayCommon('name')}`
  useEffect(
    () => onState(variantId, savingDraft(draft, labelOf)),
    [draft.state, draft.error, draft.undoable, draft.clashes.join()],
  )
  const isStale = JSON.stringify(valuesOf(fieldsOf(variant))) !== JSON.stringify(server.current)
  useEffect(() => {
    if (isStale || variant.name !== name) draft.refresh()
  }, [variant])
  return (
    <tr>
      <th scope="row">
        <input
          aria-label={`${say('variant')}: ${variant.name}`}
          value={name}
          readOnly={isFixed}
          onInput={event => draft.change({ name: event.currentTarget.value })}
        />
      </th>
      {attributes.map(({ id, name: attribute }) => (
        <td key={id}>
          <textarea
            rows={1}
            aria-label={`${variant.name}: ${attribute}`}
            value={value[VALUE + id] ?? ''}
            readOnly={isFixed}
            onInput={event => draft.change({ [VALUE + id]: event.currentTarget.value })}
          />
        </td>
      ))}
      <td class="does">
        {isDefault ? (
          <Badge tone="accent">{say('variant.default')}</Badge>
        ) : (
          !isFixed && (
            <>
              <Button
                kind="bare"
                onClick={onDefault}
                label={`${say('variant.make-default')}: ${variant.name}`}
              >
                {say('variant.make-default')}
              </Button>
              <Button
                icon="delete"
                kind="bare"
                onClick={onRemove}
                label={`${sayCommon('delete')}: ${variant.name}`}
              >
                {sayCommon('delete')}
              </Button>
            </>
          )
        )}
      </td>
    </tr>
  )
}

function Head({
  attribute,
  isFixed,
  onState,
  onRemove,
  ...place
}: PartProps & { readonly attribute: Attribute }) {
  const { id: attributeId } = attribute
  const draft = useAutosave(
    `${place.agentId} ${place.branchId} attribute ${attributeId}`,
    { name: attribute.name },
    {
      read: async () => ({ name: (await api.readAttribute({ ...place, attributeId })).name }),
      save: (change, expected) =>
        api.updateAttribute({ ...place, attributeId, body: { ...change, expected } }),
    },
  )
  const label = (): string => `${say('attribute')}: ${attribute.name}`
  useEffect(
    () => onState(attributeId, savingDraft(draft, label)),
    [draft.state, draft.error, draft.undoable, draft.clashes.join()],
  )
  useEffect(() => {
    if (attribute.name !== draft.value.name) draft.refresh()
  }, [attribute])
  return (
    <th scope="col">
      <div class="cell">
        <input
          aria-label={`${say('attribute')}: ${attribute.name}`}
          value={draft.value.name}
          readOnly={isFixed}
          onInput={event => draft.change({ name: event.currentTarget.value })}
        />
        {!isFixed && (
          <Button kind="bare" onClick={onRemove} label={`${sayCommon('delete')}: ${attribute.name}`}>
            ×
          </Button>
        )}
      </div>
    </th>
  )
}

interface NewPartProps {
  readonly title: string
  readonly onClose: () => void
  readonly onMade: () => void
  readonly make: (name: string) => Promise<unknown>
}

function NewPart({ title, onClose, onMade, make }: NewPartProps) {
  const [name, setName] = useState('')
  const create = useAction(async () => {
    await make(name)
    onMade()
  })
  return (
    <FormDialog
      title={title}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={name.trim() === ''}
    >
      <TextField label={sayCommon('name')} value={name} onChange={setName} autofocus required />
    </FormDialog>
  )
}

/** Returns the cell above or below, once an arrow or Enter asks for it. */
function moveBetweenCells(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return
  if (isComposing(event)) return
  const row = target.closest('tr')
  const step = nextCell(event.key, {
    ...{ at: target.selectionStart ?? 0, end: target.value.length },
    isHeld: event.shiftKey || event.altKey || event.ctrlKey || event.metaKey,
  })
  if (row === null || step === 0) return
  const rows = [...(row.closest('table')?.rows ?? [])]
  const cell = target.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? 0
  const next = rows[rows.indexOf(row) + step]?.cells[cell]?.querySelector<HTMLElement>('input, textarea')
  event.preventDefault()
  next?.focus()
}

interface VariantsProps extends PlaceProps {
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

/** Shows the variants of an agent as a grid: a row for each variant, and a column for each attribute. */
export function Variants({ agentId, branchId, isFixed, changes }: VariantsProps) {
  const place = { agentId, branchId }
  const { value, error, reload } = useResource(
    async signal => {
      const [{ variants }, { attributes }] = await Promise.all([
        api.listVariants(place, { signal }),
        api.listAttributes(place, { signal }),
      ])
      return { variants, attributes }
    },
    [agentId, branchId],
  )
  const [asked, setAsked] = useState<'variant' | 'attribute' | null>(null)
  const [attribute, setAttribute] = useState<Attribute | null>(null)
  const [removed, setRemoved] = useState<Variant | null>(null)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, SavingDraft>>(new Map())
  const told = (id: string, draft: SavingDraft) => setDrafts(before => new Map(before).set(id, draft))
  const forget = (id: string) => setDrafts(before => new Map([...before].filter(([one]) => one !== id)))
  useEffect(() => {
    if (changes > 0) reload()
  }, [changes])
  const makeDefault = useAction(async (variantId: string) => {
    await api.updateVariant({ ...place, variantId, body: { isDefault: true } })
    reload()
  })
  const remove = useAction(async (variant: Variant) => {
    await api.deleteVariant({ ...place, variantId: variant.id })
    forget(variant.id)
    setRemoved(variant)
    reload()
  })
  const done = () => {
    setAsked(null)
    setAttribute(null)
    reload()
  }
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const { variants, attributes } = value
  const part = { ...place, isFixed, onState: told }
  return (
    <section class="stack">
      {!isFixed && (
        <div class="actions">
          <Button icon="add" kind="main" onClick={() => setAsked('variant')}>
            {say('variants.new')}
          </Button>
          <Button icon="add" onClick={() => setAsked('attribute')}>
            {say('attributes.new')}
          </Button>
          <span class="quiet">{say('variants.why')}</span>
        </div>
      )}
      {!isFixed && variants.length > 0 && <SaveState drafts={[...drafts.values()]} />}
      {removed !== null && (
        <UndoNote
          text={sayCommon('deleted', { name: removed.name })}
          undo={() => api.createVariant({ ...place, body: removed })}
          onUndone={() => {
            setRemoved(null)
            reload()
          }}
        />
      )}
      <Failure error={makeDefault.error ?? remove.error} />
      {variants.length === 0 ? (
        <Empty icon="agents" title={say('variants.none')}>
          <p>{say('variants.why')}</p>
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="scrolls" tabIndex={0} aria-label={say('variants')}>
          <table class="grid" onKeyDown={moveBetweenCells}>
            <caption class="unseen">{say('variants')}</caption>
            <thead>
              <tr>
                <th scope="col">{say('variant')}</th>
                {attributes.map(attribute => (
                  <Head
                    {...part}
                    key={attribute.id}
                    attribute={attribute}
                    onRemove={() => setAttribute(attribute)}
                  />
                ))}
                <th scope="col">
                  <span class="unseen">{say('variant.default')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {variants.map(variant => (
                <Row
                  {...part}
                  key={variant.id}
                  variant={variant}
                  attributes={attributes}
                  onDefault={() => void makeDefault.start(variant.id)}
                  onRemove={() => void remove.start(variant)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {asked === 'variant' && (
        <NewPart
          title={say('variants.new')}
          onClose={() => setAsked(null)}
          onMade={done}
          make={name => api.createVariant({ ...place, body: { name } })}
        />
      )}
      {asked === 'attribute' && (
        <NewPart
          title={say('attributes.new')}
          onClose={() => setAsked(null)}
          onMade={done}
          make={name => api.createAttribute({ ...place, body: { name } })}
        />
      )}
      {attribute !== null && (
        <Confirm
          title={say('attribute.delete.title', { name: attribute.name })}
          why={say('attribute.delete.why')}
          action={sayCommon('delete')}
          onClose={() => setAttribute(null)}
          run={() => api.deleteAttribute({ ...place, attributeId: attribute.id })}
          onDone={() => {
            forget(attribute.id)
            done()
          }}
        />
      )}
    </section>
  )
}
