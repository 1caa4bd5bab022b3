import { api } from '../../api.ts'
import { useWatched } from '../../data/watched.ts'
import { account } from '../../session.ts'
import { PersonAvatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/parts.tsx'
import { desk } from './desk-session.ts'
import { takenByOthers } from './desk-state.ts'
import { say } from './texts.ts'

/** Interval at which colleagues are read again, milliseconds. */
const PACE = 15_000

/** Lists the colleagues at the desk, how many visitors each has, and who is away. */
export function Colleagues() {
  const { value } = useWatched(signal => api.listColleagues({}, { signal }), [account.value?.id], PACE)
  const others = (value?.colleagues ?? []).filter(({ id }) => id !== desk.value.me)
  if (others.length === 0) return null
  const taken = takenByOthers(desk.value)
  return (
    <section class="stack tight" aria-label={say('colleagues')}>
      <h2>{say('colleagues')}</h2>
      <ul class="desk-queue">
        {others.map(({ id, name }) => (
          <li class="desk-colleague" key={id}>
            <PersonAvatar name={name} />
            <span class="desk-name">{name}</span>
            {desk.value.pausing.has(id) && <Badge tone="warn">{say('colleague.away')}</Badge>}
            <span class="desk-about quiet small">
              {say('colleague.talks', { count: taken.filter(({ agent }) => agent?.id === id).length })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
