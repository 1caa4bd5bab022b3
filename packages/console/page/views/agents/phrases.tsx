import type { ResponseSettings } from '@colloquy/client/http'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAutosave } from '../../data/autosave.ts'
import { useResource } from '../../data/resource.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextArea } from '../../ui/field.tsx'
import { Pending } from '../../ui/parts.tsx'
import {
  type AllPhrases,
  incompleteLines,
  languageName,
  PHRASE_NAMES,
  type PhraseFields,
  phraseFieldsOf,
  phraseLabel,
  withPhraseFields,
} from './phrase-fields.ts'
import { SaveState, savingDraft } from './save-state.tsx'
import { say } from './texts.ts'

/** Languages that the built-in runtime speaks. */
const SPOKEN = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'ja', 'ko', 'th', 'zh']

interface PhrasesProps {
  readonly agentId: string
  readonly branchId: string
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

interface EditorProps extends PhrasesProps {
  readonly language: string
  /** The phrases of all languages, as the server had them last. */
  readonly all: { current: AllPhrases }
}

const orNull = (all: AllPhrases): AllPhrases | null => (Object.keys(all).length === 0 ? null : all)

function Editor({ agentId, branchId, isFixed, changes, language, all }: EditorProps) {
  const place = { agentId, branchId }
  const draft = useAutosave<PhraseFields>(
    `${agentId} ${branchId} phrases ${language}`,
    phraseFieldsOf(all.current, language),
    {
      async read() {
        all.current = (await api.readResponseSettings(place)).phrases ?? {}
        return phraseFieldsOf(all.current, language)
      },
      async save(change) {
        const next = withPhraseFields(all.current, language, change)
        const expected = { phrases: orNull(all.current) }
        await api.updateResponseSettings({ ...place, body: { phrases: orNull(next), expected } })
        all.current = next
      },
    },
  )
  useEffect(() => {
    if (changes > 0) draft.refresh()
  }, [changes])
  const incomplete = incompleteLines(draft.value.smallTalk)
  const names = { first: '{first}', second: '{second}', time: '{time}' }
  return (
    <>
      {!isFixed && <SaveState drafts={[savingDraft(draft, phraseLabel)]} />}
      <TextArea
        label={say('phrase.smallTalk')}
        hint={say('phrase.smallTalk.hint')}
        fault={incomplete.length === 0 ? null : say('phrase.smallTalk.fault', { line: incomplete[0] ?? '' })}
        rows={5}
        disabled={isFixed}
        value={draft.value.smallTalk}
        onChange={smallTalk => draft.change({ smallTalk })}
      />
      {PHRASE_NAMES.map(name => (
        <TextArea
          key={name}
          label={say(`phrase.${name}`)}
          {...(name === 'clarify' || name === 'confirm' || name === 'back'
            ? { hint: say(`phrase.${name}.hint`, names) }
            : {})}
          rows={2}
          disabled={isFixed}
          value={draft.value[name]}
          onChange={text => draft.change({ [name]: text })}
        />
      ))}
    </>
  )
}

/** Form for the agent's own phrases, language by language. */
function PhraseForm(props: PhrasesProps & { readonly start: ResponseSettings }) {
  const { languageCode, phrases = {} } = props.start
  const all = useRef<AllPhrases>(phrases)
  const own = languageCode.split('-')[0]?.toLowerCase() ?? languageCode
  const [language, setLanguage] = useState(own)
  const codes = [...new Set([own, ...Object.keys(phrases), ...SPOKEN])]
  const options = codes.map(code => [code, languageName(code)] as const)
  return (
    <section class="stack narrow" aria-label={say('phrases')}>
      <p class="quiet">{say('phrases.why')}</p>
      <Select label={say('languageCode')} value={language} onChange={setLanguage} options={options} />
      <Editor key={language} {...props} language={language} all={all} />
    </section>
  )
}

/** Shows the phrases of a branch. */
export function Phrases(props: PhrasesProps) {
  const { agentId, branchId } = props
  const { value, error, reload } = useResource(
    signal => api.readResponseSettings({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return <PhraseForm {...props} start={value} />
}
