import { voices } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import type { Voice } from './voice-of.ts'
import { say } from './voice-texts.ts'

type Config = Parameters<typeof voices.createVoice>[0]['body']['config']

/** Returns the object that a text stands for; null if it stands for none. */
function objectOf(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : null
  } catch {
    return null
  }
}

const GENDERS = ['female', 'male', 'neutral'] as const

interface VoiceFormProps {
  readonly accountId: string
  /** Null for one that is to be added. */
  readonly voice: Voice | null
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Edits a voice. Other metadata is kept. */
export function VoiceForm({ accountId, voice, onClose, onDone }: VoiceFormProps) {
  const metadata = (voice?.metadata ?? {}) as Config
  const written = useWritten(`voice ${voice?.id ?? 'new'}`, {
    name: voice?.name ?? '',
    provider: voice?.provider ?? '',
    providerVoiceId: voice?.providerVoiceId ?? '',
    language: String(metadata.language ?? ''),
    gender: String(metadata.gender ?? ''),
    text: JSON.stringify(voice?.config ?? {}, null, 2),
  })
  const { name, provider, providerVoiceId, language, gender, text } = written.value
  /** Changes one of the fields. */
  const put = (field: keyof typeof written.value) => (typed: string) => written.change({ [field]: typed })
  const config = objectOf(text)
  const send = useAction(async () => {
    const { language: _, gender: __, ...others } = metadata
    const voiceMetadata = { ...others, ...(language && { language }), ...(gender && { gender }) }
    const body = { name, provider, providerVoiceId, config: config ?? {}, voiceMetadata }
    if (voice === null) await voices.createVoice({ accountId, body })
    else await voices.updateVoice({ accountId, voiceId: voice.id, body })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={voice === null ? say('new') : say('change.title', { name: voice.name })}
      action={voice === null ? sayCommon('create') : say('save')}
      onClose={onClose}
      onSend={() => void send.start()}
      pending={send.pending}
      error={send.error}
      isIncomplete={[name, provider, providerVoiceId].some(one => one.trim() === '') || config === null}
    >
      <TextField label={sayCommon('name')} value={name} onChange={put('name')} autofocus required />
      <TextField
        label={say('provider')}
        hint={say('provider.hint')}
        value={provider}
        onChange={put('provider')}
        required
      />
      <TextField
        label={say('provider-id')}
        value={providerVoiceId}
        onChange={put('providerVoiceId')}
        required
      />
      <TextField
        label={say('language')}
        hint={say('language.hint')}
        value={language}
        onChange={put('language')}
      />
      <Select
        label={say('gender')}
        value={gender}
        onChange={put('gender')}
        options={[['', say('gender.none')], ...GENDERS.map(one => [one, say(`gender.${one}`)] as const)]}
      />
      <TextArea
        label={say('config')}
        hint={say('config.hint')}
        fault={config === null ? say('config.fault') : null}
        rows={3}
        value={text}
        onChange={put('text')}
      />
    </FormDialog>
  )
}
