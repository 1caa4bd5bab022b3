import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { type Draft, useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Badge, Empty, Pending } from '../../ui/parts.tsx'
import { nextCell } from './grid-keys.ts'
import { SaveState } from './save-state.tsx'
import { say } from './texts.ts'

type Variant = Awaited<ReturnType<typeof api.listVariants>>['variants'][number]
type Attribute = Awaited<ReturnType<typeof api.listAttributes>>['attributes'][number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

type Told = Pick<Draft<unknown>, 'state' | 'error' | 'flush'>

interface PartProps extends PlaceProps {
  readonly isFixed: boolean
  /** Called with how far its saving has come. */
  readonly onState: (id: string, draft: Told) => void
  readonly onRemove: () => void
}

const valuesOf = ({ attributeValues: { values } }: Variant): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, String(value)]))

interface RowProps extends PartProps {
  readonly variant: Variant
  readonly attributes: readonly Attribute[]
  readonly onDefault: () => void
}

function Row({ variant, attributes, isFixed, onState, onRemove, onDefault, ...place }: RowProps) {
  const { id: variantId, isDefault } = variant
  const draft = useAutosave({ name: variant.name, values: valuesOf(variant) }, async ({ name, values }) => {
    const known = attributes.flatMap(({ id }) =>
      values[id] === undefined ? [] : [[id, values[id]] as const],
    )
    const attributeValues = { values: Object.fromEntries(known) }
    await api.updateVariant({ ...place, variantId, body: { name, attributeValues } })
  })
  const { name, values } = draft.value
  useEffect(() => onState(variantId, draft), [draft.state, draft.error])
  return (
    <tr>
      <th scope="row">
        <input
          aria-label={`${say('variant')}: ${variant.name}`}
          value={name}
          disabled={isFixed}
          onInput={event => draft.change({ name: event.currentTarget.value, values })}
        />
      </th>
      {attributes.map(({ id, name: attribute }) => (
        <td key={id}>
          <textarea
            rows={1}
            aria-label={`${variant.name}: ${attribute}`}
            value={values[id] ?? ''}
            disabled={isFixed}
            onInput={event => draft.change({ name, values: { ...values, [id]: event.currentTarget.value } })}
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
              <Button kind="bare" onClick={onRemove} label={`${sayCommon('delete')}: ${variant.name}`}>
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
  const draft = useAutosave(attribute.name, name =>
    api.updateAttribute({ ...place, attributeId, body: { name } }),
  )
  useEffect(() => onState(attributeId, draft), [draft.state, draft.error])
  return (
    <th scope="col">
      <div class="cell">
        <input
          aria-label={`${say('attribute')}: ${attribute.name}`}
          value={draft.value}
          disabled={isFixed}
          onInput={event => draft.change(event.currentTarget.value)}
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

/** The cell above or below, once an arrow or Enter asks for it. */
function moveBetweenCells(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return
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

/** What differs from variant to variant of an agent, as a grid: a row each, and a column for each attribute. */
export function Variants({ agentId, branchId, isFixed }: PlaceProps & { readonly isFixed: boolean }) {
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
  const [removed, setRemoved] = useState<{
    readonly variant?: Variant
    readonly attribute?: Attribute
  } | null>(null)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Told>>(new Map())
  const told = (id: string, draft: Told) => setDrafts(before => new Map(before).set(id, draft))
  const makeDefault = useAction(async (variantId: string) => {
    await api.updateVariant({ ...place, variantId, body: { isDefault: true } })
    reload()
  })
  const done = () => {
    setAsked(null)
    setRemoved(null)
    setDrafts(new Map())
    reload()
  }
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const { variants, attributes } = value
  const part = { ...place, isFixed, onState: told }
  return (
    <section class="stack">
      {!isFixed && (
        <div class="actions">
          <Button kind="main" onClick={() => setAsked('variant')}>
            {say('variants.new')}
          </Button>
          <Button onClick={() => setAsked('attribute')}>{say('attributes.new')}</Button>
          <span class="quiet">{say('variants.why')}</span>
        </div>
      )}
      {!isFixed && variants.length > 0 && <SaveState drafts={[...drafts.values()]} />}
      <Failure error={makeDefault.error} />
      {variants.length === 0 ? (
        <Empty title={say('variants.none')}>
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
                    onRemove={() => setRemoved({ attribute })}
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
                  onRemove={() => setRemoved({ variant })}
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
      {removed !== null && (
        <Confirm
          title={say(removed.variant === undefined ? 'attribute.delete.title' : 'variant.delete.title', {
            name: (removed.variant ?? removed.attribute)?.name ?? '',
          })}
          why={say(removed.variant === undefined ? 'attribute.delete.why' : 'topic.delete.why')}
          action={sayCommon('delete')}
          onClose={() => setRemoved(null)}
          run={async () => {
            const { variant, attribute } = removed
            if (variant !== undefined) await api.deleteVariant({ ...place, variantId: variant.id })
            if (attribute !== undefined) await api.deleteAttribute({ ...place, attributeId: attribute.id })
          }}
          onDone={done}
        />
      )}
    </section>
  )
}
