import { useMemo, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { linesOf } from '../../lines.ts'
import { href, route, setQuery } from '../../router.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { SaveState } from './save-state.tsx'
import { say } from './texts.ts'
import { findTopics } from './topic-search.ts'

type Topic = Awaited<ReturnType<typeof api.listTopics>>[number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface EditorProps extends PlaceProps {
  readonly topic: Topic
  readonly isFixed: boolean
  readonly onChanged: (topic: Topic) => void
  readonly onDeleted: () => void
}

function Editor({ agentId, branchId, topic, isFixed, onChanged, onDeleted }: EditorProps) {
  const topicId = topic.id
  const [isDeleting, setDeleting] = useState(false)
  const draft = useAutosave(
    {
      name: topic.name,
      content: topic.content,
      actions: topic.actions,
      queries: topic.exampleQueries.queries.join('\n'),
      isActive: topic.isActive,
    },
    async ({ queries, ...body }) => {
      const exampleQueries = { queries: linesOf(queries) }
      await api.updateTopic({ agentId, branchId, topicId, body: { ...body, exampleQueries } })
      onChanged({ ...topic, ...body, exampleQueries })
    },
  )
  const remove = useAction(async () => {
    await api.deleteTopic({ agentId, branchId, topicId })
    onDeleted()
  })
  const { value } = draft
  const change = (changes: Partial<typeof value>) => draft.change({ ...value, ...changes })
  return (
    <section class="stack" aria-label={value.name}>
      {!isFixed && <SaveState drafts={[draft]} />}
      <TextField
        label={sayCommon('name')}
        value={value.name}
        disabled={isFixed}
        onChange={name => change({ name })}
      />
      <TextArea
        label={say('topic.content')}
        rows={8}
        value={value.content}
        disabled={isFixed}
        onChange={content => change({ content })}
      />
      <TextArea
        label={say('topic.queries')}
        hint={say('topic.queries.hint')}
        value={value.queries}
        disabled={isFixed}
        onChange={queries => change({ queries })}
      />
      <TextArea
        label={say('topic.actions')}
        rows={2}
        value={value.actions}
        disabled={isFixed}
        onChange={actions => change({ actions })}
      />
      <div class="actions apart">
        <Checkbox
          label={say('topic.active')}
          value={value.isActive}
          disabled={isFixed}
          onChange={isActive => change({ isActive })}
        />
        {!isFixed && (
          <Button kind="danger" onClick={() => setDeleting(true)}>
            {sayCommon('delete')}
          </Button>
        )}
      </div>
      {isDeleting && (
        <FormDialog
          title={say('topic.delete.title', { name: topic.name })}
          action={sayCommon('delete')}
          onClose={() => setDeleting(false)}
          onSend={() => void remove.start()}
          pending={remove.pending}
          error={remove.error}
          isDangerous
        >
          <p>{say('topic.delete.why')}</p>
        </FormDialog>
      )}
    </section>
  )
}

interface NewTopicProps extends PlaceProps {
  readonly onClose: () => void
  readonly onMade: (topic: Topic) => void
}

function NewTopic({ agentId, branchId, onClose, onMade }: NewTopicProps) {
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [queries, setQueries] = useState('')
  const create = useAction(async () => {
    const body = { name, content, exampleQueries: { queries: linesOf(queries) } }
    onMade(await api.createTopic({ agentId, branchId, body }))
  })
  return (
    <FormDialog
      title={say('topics.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={name.trim() === '' || content.trim() === ''}
    >
      <TextField label={sayCommon('name')} value={name} onChange={setName} autofocus required />
      <TextArea label={say('topic.content')} value={content} onChange={setContent} rows={5} />
      <TextArea
        label={say('topic.queries')}
        hint={say('topic.queries.hint')}
        value={queries}
        onChange={setQueries}
        rows={3}
      />
    </FormDialog>
  )
}

/** The topics of a branch: found by their words, read, and changed on branches. */
export function Topics({ agentId, branchId, isFixed }: PlaceProps & { readonly isFixed: boolean }) {
  const { value, error, reload } = useResource(
    signal => api.listTopics({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  // What was changed here since the list was read.
  const [changed, setChanged] = useState<ReadonlyMap<string, Topic | null>>(new Map())
  const [isMaking, setMaking] = useState(false)
  const { topic: chosen = null, find = '' } = route.value.query
  const all = useMemo(() => {
    const read = value ?? []
    const known = new Set(read.map(({ id }) => id))
    const made = [...changed].flatMap(([id, topic]) => (known.has(id) || topic === null ? [] : [topic]))
    return [...made, ...read].flatMap(one => {
      const now = changed.get(one.id)
      return now === null ? [] : [now ?? one]
    })
  }, [value, changed])
  const found = useMemo(() => findTopics(all, find), [all, find])
  const topic = all.find(({ id }) => id === chosen)
  const keep = (id: string, now: Topic | null) => setChanged(before => new Map(before).set(id, now))
  const at = (id: string) => href(route.value.path, { find, topic: id })
  const make = !isFixed && (
    <Button kind="main" onClick={() => setMaking(true)}>
      {say('topics.new')}
    </Button>
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <>
      {all.length === 0 ? (
        <Empty title={say('topics.none')}>
          <p>{say('topics.none.why')}</p>
          {make}
        </Empty>
      ) : (
        <div class="split">
          <div class="stack tight">
            <div class="actions apart">
              <span class="quiet small" role="status">
                {say('topics.count', { shown: found.length, all: all.length })}
              </span>
              {make}
            </div>
            <TextField
              label={say('topics.find')}
              type="search"
              value={find}
              onChange={text => setQuery({ find: text })}
            />
            {found.length === 0 ? (
              <p class="quiet">{say('topics.no-match')}</p>
            ) : (
              <VirtualList
                label={say('topics')}
                rows={found}
                current={chosen}
                keyOf={({ id }) => id}
                cell={({ id, name, isActive }) => (
                  <a
                    href={at(id)}
                    aria-current={id === chosen ? 'true' : undefined}
                    class={isActive ? undefined : 'quiet'}
                  >
                    {name}
                  </a>
                )}
              />
            )}
          </div>
          {topic === undefined ? (
            <p class="quiet">{say('topic.choose')}</p>
          ) : (
            <Editor
              key={topic.id}
              agentId={agentId}
              branchId={branchId}
              topic={topic}
              isFixed={isFixed}
              onChanged={now => keep(now.id, now)}
              onDeleted={() => {
                keep(topic.id, null)
                setQuery({ topic: undefined })
              }}
            />
          )}
        </div>
      )}
      {isMaking && (
        <NewTopic
          agentId={agentId}
          branchId={branchId}
          onClose={() => setMaking(false)}
          onMade={made => {
            keep(made.id, made)
            setMaking(false)
            setQuery({ topic: made.id, find: '' })
          }}
        />
      )}
    </>
  )
}
