import { api } from '../../api.ts'
import { useWatched } from '../../data/watched.ts'
import { openState } from '../../open-state.ts'
import { account } from '../../session.ts'
import { say } from '../../texts/hours.ts'

/** Interval at which the hours are read again, milliseconds. */
const PACE = 15_000

/** Names the queues that are closed now, and when each opens. */
export function ClosedQueues() {
  const { value } = useWatched(signal => api.listDeskQueues({}, { signal }), [account.value?.id], PACE)
  const closed = (value?.queues ?? []).filter(queue => !queue.is_open)
  if (closed.length === 0) return null
  return (
    <ul class="desk-closed quiet small" aria-label={say('hours')}>
      {closed.map(queue => (
        <li key={queue.queue_name}>
          {say('queue.closed', { name: queue.queue_name, state: openState(queue) })}
        </li>
      ))}
    </ul>
  )
}
