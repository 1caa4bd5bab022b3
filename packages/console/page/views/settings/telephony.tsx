import { telephony } from '../../api.ts'
import { agentOptions, useAgents } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { route, setQuery } from '../../router.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { NumberPool } from './number-pool.tsx'
import { PhoneNumbers } from './phone-numbers.tsx'
import { TelephonyConnectors } from './telephony-connectors.tsx'
import { say } from './telephony-texts.ts'

function OfAgent({ accountId, agentId }: { readonly accountId: string; readonly agentId: string }) {
  const { value, error, reload } = useResource(
    async signal => {
      const [{ connectors }, { phoneNumbers }] = await Promise.all([
        telephony.listTelephonyConnectors({ agentId }, { signal }),
        telephony.listPhoneNumbers({ agentId }, { signal }),
      ])
      return { connectors, phoneNumbers }
    },
    [agentId],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <div class="stack">
      <TelephonyConnectors {...{ accountId, agentId }} connectors={value.connectors} onChanged={reload} />
      <PhoneNumbers {...value} agentId={agentId} onChanged={reload} />
      <NumberPool agentId={agentId} />
    </div>
  )
}

/** Shows an agent's telephony: connectors, numbers, and those kept for reservations. */
export function Telephony({ accountId }: { readonly accountId: string }) {
  const { value: agents, error, reload } = useAgents(accountId)
  if (agents === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const agentId = agents.find(one => one.agentId === route.value.query.agent)?.agentId ?? agents[0]?.agentId
  if (agentId === undefined)
    return (
      <Empty icon="agents" title={say('agents.none')}>
        <p>{say('agents.none.why')}</p>
      </Empty>
    )
  return (
    <section class="stack">
      <div class="filters">
        <Select
          label={say('agent')}
          value={agentId}
          onChange={agent => setQuery({ agent })}
          options={agentOptions(agents)}
        />
      </div>
      <OfAgent key={agentId} accountId={accountId} agentId={agentId} />
    </section>
  )
}
