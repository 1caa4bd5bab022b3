import { useState } from 'preact/hooks'
import { askConsole, sendConsole } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { href, route } from '../../router.ts'
import { account } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'
import { filtersOf, isAt, placeOf, replacedBy, type View } from './views.ts'

const PATH = '/console/v1/views'

interface SaveProps {
  readonly views: readonly View[]
  readonly current: View | undefined
  readonly filters: View['filters']
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks for the name of the filters that are set. */
function Save({ views, current, filters, onClose, onDone }: SaveProps) {
  const [name, setName] = useState(current?.name ?? '')
  const act = useAction(async () => {
    const path = `${PATH}/${encodeURIComponent(name.trim())}`
    await sendConsole(path, { filters }, undefined, 'PUT')
  })
  const replaced = replacedBy(views, name)
  return (
    <FormDialog
      title={say('views.save')}
      action={say(replaced === undefined ? 'views.save.do' : 'views.replace')}
      onClose={onClose}
      onSend={() => void act.start().then(isDone => isDone && onDone())}
      pending={act.pending}
      error={act.error}
      isIncomplete={name.trim() === '' || name.trim().length > 80}
    >
      <TextField
        label={sayCommon('name')}
        hint={say(replaced === undefined ? 'views.save.why' : 'views.replace.why', {
          name: replaced?.name ?? '',
        })}
        value={name}
        onChange={setName}
        required
        autofocus
      />
    </FormDialog>
  )
}

/** Shows the saved views of the account as links, and saves the filters that are set as one of them. */
export function SavedViews() {
  const accountId = account.value?.id ?? ''
  const { path, query } = route.value
  const { value, error, reload } = useResource(
    async signal => Reflect.get(Object(await askConsole(PATH, signal)), 'views') as readonly View[],
    [accountId],
  )
  const [open, setOpen] = useState<'save' | 'delete' | null>(null)
  const filters = filtersOf({ agentId: path[1], query })
  const views = value ?? []
  const current = views.find(view => isAt(view, filters))
  const close = () => setOpen(null)
  const done = () => {
    close()
    reload()
  }
  return (
    <nav class="views" aria-label={say('views')}>
      <Failure error={error} again={reload} />
      {views.map(view => {
        const place = placeOf(view.filters)
        const agent = place.agentId === undefined ? [] : [place.agentId]
        return (
          <a
            key={view.name}
            class="chip"
            href={href(['conversations', ...agent], place.query)}
            aria-current={view === current ? 'page' : undefined}
          >
            {view.name}
          </a>
        )
      })}
      {current !== undefined && (
        <IconButton
          icon="delete"
          label={say('views.delete', { name: current.name })}
          onClick={() => setOpen('delete')}
        />
      )}
      {value !== undefined && current === undefined && Object.keys(filters).length > 0 && (
        <Button kind="bare" icon="add" onClick={() => setOpen('save')}>
          {say('views.save')}
        </Button>
      )}
      {open === 'save' && (
        <Save views={views} current={current} filters={filters} onClose={close} onDone={done} />
      )}
      {open === 'delete' && current !== undefined && (
        <Confirm
          title={say('views.delete', { name: current.name })}
          why={say('views.delete.why')}
          action={sayCommon('delete')}
          onClose={close}
          run={() => askConsole(`${PATH}/${encodeURIComponent(current.name)}`, undefined, 'DELETE')}
          onDone={done}
        />
      )}
    </nav>
  )
}
