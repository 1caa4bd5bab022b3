import { useState } from 'preact/hooks'
import { voices as api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Badge, Empty, Pending, Table } from '../../ui/parts.tsx'
import { VoiceForm } from './voice-form.tsx'
import { isOffered, type Voice } from './voice-of.ts'
import { say } from './voice-texts.ts'

interface OfVoice {
  readonly accountId: string
  readonly voice: Voice
  readonly onClose: () => void
}

/** Shows the sample of a voice. The provider stores the sound, so it opens beside the page. */
function Sample({ accountId, voice, onClose }: OfVoice) {
  const { value, error, reload } = useResource(
    signal => api.readVoiceSample({ accountId, voiceId: voice.id }, { signal }),
    [voice.id],
  )
  return (
    <Dialog title={say('sample.of', { name: voice.name })} onClose={onClose}>
      <div class="stack">
        <Failure error={error} again={reload} />
        {value === undefined && error === null && <Pending />}
        {value !== undefined && (
          <>
            <p>{value.text}</p>
            <p>
              <a href={value.sampleUrl} target="_blank" rel="noreferrer">
                {say('listen')}
              </a>
            </p>
          </>
        )}
        <div class="actions">
          <Button onClick={onClose}>{say('close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

const wordOf = (voice: Voice, field: string): string => String(voice.metadata?.[field] ?? '')

/** Shows the voices of an account: those that the host's provider offers, and those that were added. */
export function Voices({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useResource(
    async signal => (await api.listVoices({ accountId }, { signal })).voices,
    [accountId],
  )
  const [form, setForm] = useState<Voice | 'new' | null>(null)
  const [heard, setHeard] = useState<Voice | null>(null)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('why')}</span>
        <Button icon="add" kind="main" onClick={() => setForm('new')}>
          {say('new')}
        </Button>
      </div>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && (
        <Empty icon="voices" title={say('none')}>
          <p>{say('none.why')}</p>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <Table
          caption={say('voices')}
          rows={value}
          keyOf={({ id }) => id}
          columns={[
            { title: sayCommon('name'), cell: ({ name }) => name },
            { title: say('provider'), cell: ({ provider }) => provider },
            { title: say('language'), cell: voice => wordOf(voice, 'language') },
            {
              title: say('from'),
              cell: voice => <Badge tone="accent">{say(isOffered(voice) ? 'offered' : 'added')}</Badge>,
            },
            {
              title: '',
              cell: voice => (
                <div class="actions">
                  <Button
                    kind="bare"
                    onClick={() => setHeard(voice)}
                    label={say('sample.of', { name: voice.name })}
                  >
                    {say('sample')}
                  </Button>
                  {!isOffered(voice) && (
                    <Button
                      icon="edit"
                      kind="bare"
                      onClick={() => setForm(voice)}
                      label={say('change.title', { name: voice.name })}
                    >
                      {say('change')}
                    </Button>
                  )}
                </div>
              ),
            },
          ]}
        />
      )}
      {form !== null && (
        <VoiceForm
          accountId={accountId}
          voice={form === 'new' ? null : form}
          onClose={() => setForm(null)}
          onDone={() => {
            setForm(null)
            reload()
          }}
        />
      )}
      {heard !== null && <Sample accountId={accountId} voice={heard} onClose={() => setHeard(null)} />}
    </section>
  )
}
