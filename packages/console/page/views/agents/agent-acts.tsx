import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { go } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'

interface AgentProps {
  readonly agentId: string
  readonly name: string
}

interface Asked {
  readonly onClose: () => void
  readonly onDone: () => void
}

function Duplicate({ agentId, name, onClose }: AgentProps & Pick<Asked, 'onClose'>) {
  const [newAgentName, setName] = useState(say('agent.copy', { name }))
  const make = useAction(async () => {
    const made = await api.duplicateAgent({ agentId, body: { newAgentName } })
    onClose()
    go(['agents', made.agentId, 'branches'])
  })
  return (
    <FormDialog
      title={say('agent.duplicate.title', { name })}
      action={say('agent.duplicate')}
      onClose={onClose}
      onSend={() => void make.start()}
      pending={make.pending}
      error={make.error}
      isIncomplete={newAgentName.trim() === ''}
    >
      <p>{say('agent.duplicate.why')}</p>
      <TextField label={sayCommon('name')} value={newAgentName} onChange={setName} autofocus required />
    </FormDialog>
  )
}

function Rename({ agentId, name, onClose, onDone }: AgentProps & Asked) {
  const [newName, setName] = useState(name)
  const rename = useAction(async () => {
    await api.updateAgent({ agentId, body: { name: newName } })
    onDone()
  })
  return (
    <FormDialog
      title={say('agent.rename.title', { name })}
      action={say('agent.rename')}
      onClose={onClose}
      onSend={() => void rename.start()}
      pending={rename.pending}
      error={rename.error}
      isIncomplete={newName.trim() === '' || newName === name}
    >
      <p>{say('agent.rename.why')}</p>
      <TextField label={sayCommon('name')} value={newName} onChange={setName} autofocus required />
    </FormDialog>
  )
}

/** Shows the actions on an agent as a whole. */
export function AgentActs({ agentId, name, onRenamed }: AgentProps & { readonly onRenamed: () => void }) {
  const [asked, setAsked] = useState<'rename' | 'duplicate' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const renamed = () => {
    close()
    onRenamed()
  }
  return (
    <>
      {may('author') && (
        <>
          <Button icon="edit" kind="bare" onClick={() => setAsked('rename')}>
            {say('agent.rename')}
          </Button>
          <Button icon="copy" kind="bare" onClick={() => setAsked('duplicate')}>
            {say('agent.duplicate')}
          </Button>
        </>
      )}
      {may('operator') && (
        <Button icon="delete" kind="bare" onClick={() => setAsked('delete')}>
          {say('agent.delete')}
        </Button>
      )}
      {asked === 'rename' && <Rename agentId={agentId} name={name} onClose={close} onDone={renamed} />}
      {asked === 'duplicate' && <Duplicate agentId={agentId} name={name} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={say('agent.delete.title', { name })}
          why={say('agent.delete.why')}
          action={say('agent.delete')}
          onClose={close}
          run={() => api.deleteAgent({ agentId })}
          onDone={() => go(['agents'])}
        />
      )}
    </>
  )
}
