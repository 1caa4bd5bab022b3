import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAgentTrail } from '../../data/agent-trail.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useBranchWatch } from '../../data/branch-watch.ts'
import { useResource } from '../../data/resource.ts'
import { go, href, route } from '../../router.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Pending, Tabs, Time } from '../../ui/parts.tsx'
import { Changes } from './changes.tsx'
import { DebugChat } from './debug-chat.tsx'
import { Phrases } from './phrases.tsx'
import { SaveState, savingDraft } from './save-state.tsx'
import { TestCases } from './test-cases.tsx'
import { say } from './texts.ts'
import { Topics } from './topics.tsx'
import { Variants } from './variants.tsx'

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface EditedProps extends PlaceProps {
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

interface ContentProps extends EditedProps {
  readonly start: Content
}

/** The agent's behavior and response settings in the form: `""` if a setting has no value. */
type Content = Readonly<Record<'behavior' | SettingName, string>>
type SettingName = 'greeting' | 'languageCode' | 'modelId' | 'voiceId' | 'avatarUrl'

const SETTING_NAMES: readonly SettingName[] = [
  ...(['greeting', 'languageCode', 'modelId', 'voiceId', 'avatarUrl'] as const),
]

async function readContent(
  place: PlaceProps,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Content> {
  const [{ behavior }, read] = await Promise.all([
    api.readBehavior(place, options),
    api.readResponseSettings(place, options),
  ])
  const { greeting, languageCode, modelId, voiceId, avatarUrl } = read
  const texts = { modelId: modelId ?? '', voiceId: voiceId ?? '', avatarUrl: avatarUrl ?? '' }
  return { behavior, greeting, languageCode, ...texts }
}

/** Settings as the server takes them: null if nothing is set. */
const settingsOf = (fields: Partial<Content>) => {
  const { greeting, languageCode, modelId, voiceId, avatarUrl } = fields
  return {
    ...(greeting === undefined ? {} : { greeting }),
    ...(languageCode === undefined ? {} : { languageCode }),
    ...(modelId === undefined ? {} : { modelId: modelId || null }),
    ...(voiceId === undefined ? {} : { voiceId: voiceId || null }),
    ...(avatarUrl === undefined ? {} : { avatarUrl: avatarUrl || null }),
  }
}

function Instructions({ agentId, branchId, isFixed, changes, start }: ContentProps) {
  const place = { agentId, branchId }
  const behavior = useAutosave(
    `${agentId} ${branchId} behavior`,
    { behavior: start.behavior },
    {
      read: async () => ({ behavior: (await api.readBehavior(place)).behavior }),
      save: (_change, expected, all) =>
        api.updateBehavior({
          ...place,
          body: { behavior: all.behavior, expected: { behavior: expected.behavior ?? '' } },
        }),
    },
  )
  const { behavior: _behavior, ...settingsNow } = start
  const settings = useAutosave<Readonly<Record<SettingName, string>>>(
    `${agentId} ${branchId} settings`,
    settingsNow,
    {
      async read() {
        const { behavior: _behavior, ...rest } = await readContent(place)
        return rest
      },
      save: (change, expected) =>
        api.updateResponseSettings({
          ...place,
          body: { ...settingsOf(change), expected: settingsOf(expected) },
        }),
    },
  )
  useEffect(() => {
    if (changes === 0) return
    behavior.refresh()
    settings.refresh()
  }, [changes])
  const field = (name: Exclude<SettingName, 'greeting'>) => (
    <TextField
      label={say(name)}
      hint={say(`${name}.hint`)}
      disabled={isFixed}
      value={settings.value[name]}
      onChange={text => settings.change({ [name]: text })}
    />
  )
  const label = (name: string): string => say(SETTING_NAMES.find(one => one === name) ?? 'behavior')
  return (
    <section class="stack narrow">
      {!isFixed && <SaveState drafts={[savingDraft(behavior, label), savingDraft(settings, label)]} />}
      <TextArea
        label={say('greeting')}
        hint={say('greeting.hint')}
        rows={2}
        disabled={isFixed}
        value={settings.value.greeting}
        onChange={text => settings.change({ greeting: text })}
      />
      <TextArea
        label={say('behavior')}
        hint={say('behavior.hint')}
        rows={14}
        disabled={isFixed}
        value={behavior.value.behavior}
        onChange={text => behavior.change({ behavior: text })}
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

function ContentView(props: EditedProps) {
  const { agentId, branchId } = props
  const { value, error, reload } = useResource(
    signal => readContent({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return <Instructions {...props} start={value} />
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

const VIEWS = ['topics', 'phrases', 'variants', 'cases', 'chat', 'changes']

/** Shows a branch: what is on it, and how it differs from main. */
export function Branch({ agentId, branchId }: PlaceProps) {
  const branch = useResource(signal => api.readBranch({ agentId, branchId }, { signal }), [agentId, branchId])
  const trail = useAgentTrail(agentId, 'branches', say('branches'))
  const [isDeleting, setDeleting] = useState(false)
  const given = route.value.path[4] ?? ''
  const view = VIEWS.includes(given) ? given : 'content'
  const isMain = branch.value?.isMain ?? branchId === 'main'
  const isFixed = isMain || !may('author')
  const name = branch.value?.branchName ?? branchId
  const watch = useBranchWatch(agentId, branchId, !isFixed && branch.value !== undefined)
  const place = { agentId, branchId, isFixed, changes: watch.changes }
  const at = (...more: readonly string[]) => href(['agents', agentId, 'branches', branchId, ...more])
  return (
    <Page
      title={name}
      trail={trail}
      actions={
        !isFixed && (
          <Button icon="delete" kind="bare" onClick={() => setDeleting(true)}>
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
          ['phrases', say('phrases'), at('phrases')],
          ['variants', say('variants'), at('variants')],
          ['cases', say('cases'), at('cases')],
          ...(may('author') ? [['chat', say('debug'), at('chat')] as const] : []),
          ...(isMain ? [] : [['changes', say('changes'), at('changes')] as const]),
        ]}
      />
      {isMain && may('author') && <p class="note">{say('main.read')}</p>}
      <Failure error={branch.error} again={branch.reload} />
      {watch.at !== null && (
        <p class="note" role="status">
          {say('others')} <Time at={watch.at} />
        </p>
      )}
      {view === 'content' && <ContentView {...place} />}
      {view === 'topics' && <Topics {...place} />}
      {view === 'phrases' && <Phrases {...place} />}
      {view === 'variants' && <Variants {...place} />}
      {view === 'cases' && <TestCases {...place} />}
      {view === 'chat' && may('author') && <DebugChat agentId={agentId} branchId={branchId} />}
      {view === 'changes' && !isMain && <Changes {...place} />}
      {isDeleting && (
        <DeleteDialog agentId={agentId} branchId={branchId} name={name} onClose={() => setDeleting(false)} />
      )}
    </Page>
  )
}
