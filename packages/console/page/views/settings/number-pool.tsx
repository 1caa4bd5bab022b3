import { useState } from 'preact/hooks'
import { telephony } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Empty, Pending, Table, Time } from '../../ui/parts.tsx'
import { NumbersForm } from './phone-numbers.tsx'
import { say } from './telephony-texts.ts'

/** Shows the numbers of which an agent's are reserved. */
export function NumberPool({ agentId }: { readonly agentId: string }) {
  const { value, error, reload } = useResource(
    async signal => (await telephony.listPooledNumbers({ agentId }, { signal })).numbers,
    [agentId],
  )
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<string | null>(null)
  const done = () => {
    setAdding(false)
    setDeleted(null)
    reload()
  }
  return (
    <section class="stack" aria-labelledby="number-pool">
      <div class="actions apart">
        <h2 id="number-pool">{say('pool')}</h2>
        <Button icon="add" onClick={() => setAdding(true)}>
          {say('pool.add')}
        </Button>
      </div>
      <p class="quiet">{say('pool.why')}</p>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && <Empty icon="phone" title={say('pool.none')} />}
      {value !== undefined && value.length > 0 && (
        <Table
          caption={say('pool')}
          rows={value}
          keyOf={({ phoneNumber }) => phoneNumber}
          columns={[
            { title: say('number'), cell: ({ phoneNumber }) => <code>{phoneNumber}</code> },
            {
              title: say('reserved'),
              cell: ({ reservedUntil }) =>
                reservedUntil === null ? say('free') : <Time at={reservedUntil} />,
            },
            {
              title: '',
              cell: ({ phoneNumber }) => (
                <Button
                  kind="bare"
                  onClick={() => setDeleted(phoneNumber)}
                  label={`${say('pool.take')}: ${phoneNumber}`}
                >
                  {say('pool.take')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {isAdding && (
        <NumbersForm
          title={say('pool.add')}
          onClose={() => setAdding(false)}
          onDone={done}
          send={numbers => telephony.addPooledNumbers({ body: { agentId, phoneNumbers: numbers } })}
          inEnvironment={false}
        />
      )}
      {deleted !== null && (
        <Confirm
          title={say('pool.delete.title', { number: deleted })}
          why={say('pool.delete.why')}
          action={say('pool.take')}
          onClose={() => setDeleted(null)}
          run={() => telephony.deletePooledNumber({ phoneNumber: deleted })}
          onDone={done}
        />
      )}
    </section>
  )
}
