import { useEffect, useMemo, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { linesOf } from '../../lines.ts'
import { href, route, setQuery } from '../../router.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { SaveState, savingDraft } from './save-state.tsx'
import { say } from './texts.ts'
import { findTopics, inNaturalOrder } from './topic-search.ts'

type Topic = Awaited<ReturnType<typeof api.listTopics>>[number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface EditorProps extends PlaceProps {
  readonly topic: Topic
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
  readonly onChanged: (topic: Topic) => void
  readonly onDeleted: (topic: Topic) => void
}

/** Returns a topic as the form has it: a line for each example question. */
const fieldsOf = ({ name, content, actions, exampleQueries, isActive }: Topic) => ({
  ...{ name, content, actions, isActive },
  queries: exampleQueries.queries.join('\n'),
})

type TopicFields = ReturnType<typeof fieldsOf>

const bodyOf = ({ queries, ...rest }: Partial<TopicFields>) => ({
  ...rest,
  ...(queries === undefined ? {} : { exampleQueries: { queries: linesOf(queries) } }),
})

const LABELS = {
  content: 'topic.content',
  actions: 'topic.actions',
  queries: 'topic.queries',
  isActive: 'topic.active',
} as const

const labelOf = (field: string): string => {
  const key = Object.entries(LABELS).find(([one]) => one === field)?.[1]
  return key === undefined ? sayCommon('name') : say(key)
}

function Editor({ agentId, branchId, topic, isFixed, changes, onChanged, onDeleted }: EditorProps) {
  const place = { agentId, branchId, topicId: topic.id }
  const draft = useAutosave<TopicFields>(`${agentId} ${branchId} topic ${topic.id}`, fieldsOf(topic), {
    read: async () => fieldsOf(await api.readTopic(place)),
    async save(change, expected, all) {
      await api.updateTopic({ ...place, body: { ...bodyOf(change), expected: bodyOf(expected) } })
      onChanged({ ...topic, ...all, exampleQueries: { queries: linesOf(all.queries) } })
    },
  })
  useEffect(() => {
    if (changes > 0) draft.refresh()
  }, [changes])
  const remove = useAction(async () => {
    await api.deleteTopic(place)
    const { queries, ...rest } = draft.value
    onDeleted({ id: topic.id, ...rest, exampleQueries: { queries: linesOf(queries) } })
  })
  const { value } = draft
  const change = draft.change
  return (
    <section class="stack" aria-label={value.name}>
      {!isFixed && <SaveState drafts={[savingDraft(draft, labelOf)]} />}
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
          <Button icon="delete" kind="danger" onClick={() => void remove.start()} disabled={remove.pending}>
            {sayCommon('delete')}
          </Button>
        )}
      </div>
      <Failure error={remove.error} />
    </section>
  )
}

interface NewTopicProps extends PlaceProps {
  readonly onClose: () => void
  readonly onMade: (topic: Topic) => void
}

function NewTopic({ agentId, branchId, onClose, onMade }: NewTopicProps) {
  const written = useWritten(`${agentId} ${branchId} new topic`, { name: '', content: '', queries: '' })
  const { name, content, queries } = written.value
  const create = useAction(async () => {
    const body = { name, content, exampleQueries: { queries: linesOf(queries) } }
    const made = await api.createTopic({ agentId, branchId, body })
    written.sent()
    onMade(made)
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
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => written.change({ name: text })}
        autofocus
        required
      />
      <TextArea
        label={say('topic.content')}
        value={content}
        onChange={text => written.change({ content: text })}
        rows={5}
      />
      <TextArea
        label={say('topic.queries')}
        hint={say('topic.queries.hint')}
        value={queries}
        onChange={text => written.change({ queries: text })}
        rows={3}
      />
    </FormDialog>
  )
}

interface TopicsProps extends PlaceProps {
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

/** Shows the topics of a branch: found by their words, read, and changed on branches. */
export function Topics({ agentId, branchId, isFixed, changes }: TopicsProps) {
  const { value, error, reload } = useResource(
    signal => api.listTopics({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  // Topics changed here since the list was read.
  const [changed, setChanged] = useState<ReadonlyMap<string, Topic | null>>(new Map())
  // The list that was read again contains all of them, and changes by others.
  useEffect(() => setChanged(new Map()), [value])
  useEffect(() => {
    if (changes > 0) reload()
  }, [changes])
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<Topic | null>(null)
  const { topic: chosen = null, find = '' } = route.value.query
  const all = useMemo(() => {
    const read = inNaturalOrder(value ?? [])
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
    <Button icon="add" kind="main" onClick={() => setMaking(true)}>
      {say('topics.new')}
    </Button>
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <>
      {removed !== null && (
        <UndoNote
          text={sayCommon('deleted', { name: removed.name })}
          undo={() => api.createTopic({ agentId, branchId, body: removed })}
          onUndone={() => {
            keep(removed.id, removed)
            setRemoved(null)
            setQuery({ topic: removed.id })
          }}
        />
      )}
      {all.length === 0 ? (
        <Empty icon="content" title={say('topics.none')}>
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
                cell={({ id, name, isActive }, tabIndex) => (
                  <a
                    href={at(id)}
                    tabIndex={tabIndex}
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
              changes={changes}
              onChanged={now => keep(now.id, now)}
              onDeleted={gone => {
                keep(topic.id, null)
                setRemoved(gone)
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
