import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { go, href, route } from '../../router.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Pending, Tabs } from '../../ui/parts.tsx'
import { Changes } from './changes.tsx'
import { SaveState } from './save-state.tsx'
import { TestCases } from './test-cases.tsx'
import { say } from './texts.ts'
import { Topics } from './topics.tsx'
import { Variants } from './variants.tsx'

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface ContentProps extends PlaceProps {
  readonly behavior: string
  readonly settings: Settings
  readonly isFixed: boolean
}

/** How the agent answers, as the form has it: `""` where nothing is set. */
interface Settings {
  readonly greeting: string
  readonly languageCode: string
  readonly modelId: string
  readonly voiceId: string
  readonly avatarUrl: string
}

function Instructions({ agentId, branchId, isFixed, ...start }: ContentProps) {
  const behavior = useAutosave(start.behavior, text =>
    api.updateBehavior({ agentId, branchId, body: { behavior: text } }),
  )
  const settings = useAutosave(start.settings, ({ greeting, languageCode, ...rest }) => {
    const [modelId, voiceId, avatarUrl] = [rest.modelId, rest.voiceId, rest.avatarUrl].map(
      text => text || null,
    )
    const body = { greeting, languageCode, modelId, voiceId, avatarUrl }
    return api.updateResponseSettings({ agentId, branchId, body })
  })
  const { greeting } = settings.value
  const set = (changes: Partial<Settings>) => settings.change({ ...settings.value, ...changes })
  const field = (name: Exclude<keyof Settings, 'greeting'>) => (
    <TextField
      label={say(name)}
      hint={say(`${name}.hint`)}
      disabled={isFixed}
      value={settings.value[name]}
      onChange={text => set({ [name]: text })}
    />
  )
  return (
    <section class="stack narrow">
      {!isFixed && <SaveState drafts={[behavior, settings]} />}
      <TextArea
        label={say('greeting')}
        hint={say('greeting.hint')}
        rows={2}
        disabled={isFixed}
        value={greeting}
        onChange={text => set({ greeting: text })}
      />
      <TextArea
        label={say('behavior')}
        hint={say('behavior.hint')}
        rows={14}
        disabled={isFixed}
        value={behavior.value}
        onChange={behavior.change}
      />
      <details>
        <summary>{say('settings.more')}</summary>
        <div class="stack tight">
          {field('languageCode')}
          {field('modelId')}
          {field('voiceId')}
          {field('avatarUrl')}
        </div>
      </details>
    </section>
  )
}

function Content({ agentId, branchId, isFixed }: PlaceProps & { readonly isFixed: boolean }) {
  const { value, error, reload } = useResource(
    async signal => {
      const place = { agentId, branchId }
      const [{ behavior }, read] = await Promise.all([
        api.readBehavior(place, { signal }),
        api.readResponseSettings(place, { signal }),
      ])
      const { greeting, languageCode, modelId, voiceId, avatarUrl } = read
      const texts = { modelId: modelId ?? '', voiceId: voiceId ?? '', avatarUrl: avatarUrl ?? '' }
      return { behavior, settings: { greeting, languageCode, ...texts } }
    },
    [agentId, branchId],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return <Instructions agentId={agentId} branchId={branchId} isFixed={isFixed} {...value} />
}

function DeleteDialog({
  agentId,
  branchId,
  name,
  onClose,
}: PlaceProps & { readonly name: string; readonly onClose: () => void }) {
  const remove = useAction(async () => {
    await api.deleteBranch({ agentId, branchId })
    go(['agents', agentId, 'branches'])
  })
  return (
    <FormDialog
      title={say('branch.delete.title', { name })}
      action={say('branch.delete')}
      onClose={onClose}
      onSend={() => void remove.start()}
      pending={remove.pending}
      error={remove.error}
      isDangerous
    >
      <p>{say('branch.delete.why')}</p>
    </FormDialog>
  )
}

const VIEWS = ['topics', 'variants', 'cases', 'changes']

/** A branch: what is on it, and how it differs from main. */
export function Branch({ agentId, branchId }: PlaceProps) {
  const branch = useResource(signal => api.readBranch({ agentId, branchId }, { signal }), [agentId, branchId])
  const agent = useResource(signal => api.readAgent({ agentId }, { signal }), [agentId])
  const [isDeleting, setDeleting] = useState(false)
  const given = route.value.path[4] ?? ''
  const view = VIEWS.includes(given) ? given : 'content'
  const isMain = branch.value?.isMain ?? branchId === 'main'
  const isFixed = isMain || !may('author')
  const name = branch.value?.branchName ?? branchId
  const at = (...more: readonly string[]) => href(['agents', agentId, 'branches', branchId, ...more])
  return (
    <Page
      title={name}
      trail={[
        [say('agents'), href(['agents'])],
        [agent.value?.agentName ?? agentId, href(['agents', agentId])],
        [say('branches'), href(['agents', agentId, 'branches'])],
      ]}
      actions={
        !isFixed && (
          <Button kind="bare" onClick={() => setDeleting(true)}>
            {say('branch.delete')}
          </Button>
        )
      }
    >
      <Tabs
        label={say('views')}
        current={view}
        tabs={[
          ['content', say('content'), at()],
          ['topics', say('topics'), at('topics')],
          ['variants', say('variants'), at('variants')],
          ['cases', say('cases'), at('cases')],
          ...(isMain ? [] : [['changes', say('changes'), at('changes')] as const]),
        ]}
      />
      {isMain && may('author') && <p class="note">{say('main.read')}</p>}
      <Failure error={branch.error} again={branch.reload} />
      {view === 'content' && <Content agentId={agentId} branchId={branchId} isFixed={isFixed} />}
      {view === 'topics' && <Topics agentId={agentId} branchId={branchId} isFixed={isFixed} />}
      {view === 'variants' && <Variants agentId={agentId} branchId={branchId} isFixed={isFixed} />}
      {view === 'cases' && <TestCases agentId={agentId} branchId={branchId} isFixed={isFixed} />}
      {view === 'changes' && !isMain && <Changes agentId={agentId} branchId={branchId} />}
      {isDeleting && (
        <DeleteDialog agentId={agentId} branchId={branchId} name={name} onClose={() => setDeleting(false)} />
      )}
    </Page>
  )
}
