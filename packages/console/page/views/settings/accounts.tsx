import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { usePages } from '../../data/pages.ts'
import { useWritten } from '../../data/written.ts'
import { refreshMe } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty } from '../../ui/parts.tsx'
import { Moment } from './credential-state.tsx'
import { say } from './texts.ts'

/** Returns a short name for a name: `Harbour Hotel` is `harbour-hotel`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function NewAccount({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  const written = useWritten('account new', { name: '', given: '' })
  const { name, given } = written.value
  const slug = given || slugOf(name)
  const create = useAction(async () => {
    await api.createAccount({ body: { name, slug } })
    written.sent()
    onMade()
  })
  return (
    <FormDialog
      title={say('accounts.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={name.trim() === '' || slug === ''}
    >
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => written.change({ name: text })}
        autofocus
        required
      />
      <TextField
        label={say('slug')}
        hint={say('slug.hint')}
        value={slug}
        onChange={text => written.change({ given: text })}
        required
      />
    </FormDialog>
  )
}

/** Shows all accounts of the platform. */
export function Accounts() {
  const pages = usePages(async (cursor, signal) => {
    const page = await api.listAccounts(cursor, { signal })
    return { rows: page.accounts, cursor: page.next_cursor }
  }, [])
  const [isMaking, setMaking] = useState(false)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('accounts.why')}</span>
        <Button icon="add" kind="main" onClick={() => setMaking(true)}>
          {say('accounts.new')}
        </Button>
      </div>
      <PagedTable
        pages={pages}
        empty={
          <Empty icon="account" title={say('accounts.none')}>
            <p>{say('accounts.none.why')}</p>
          </Empty>
        }
        caption={say('accounts')}
        keyOf={({ accountId }) => accountId}
        columns={[
          { title: sayCommon('name'), cell: ({ name }) => name },
          { title: say('slug'), cell: ({ slug }) => <code>{slug}</code> },
          { title: say('id'), cell: ({ accountId }) => <code>{accountId}</code> },
          { title: say('created'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
      />
      {isMaking && (
        <NewAccount
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false)
            pages.reload()
            void refreshMe()
          }}
        />
      )}
    </section>
  )
}
