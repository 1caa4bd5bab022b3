import { hueOf, initialsOf } from '../names.ts'
import { visitorName } from '../texts/visitors.ts'
import { Icon } from './icon.tsx'

interface AvatarProps {
  /** The colour comes from it. */
  readonly id: string
  readonly name: string
  /** Whether it stands within a line of text. @default false */
  readonly isTiny?: boolean
}

/** Initials on a colour, for eyes alone: the name stands beside it. */
export const Avatar = ({ id, name, isTiny = false }: AvatarProps) => (
  <span class={`avatar ${hueOf(id)}${isTiny ? ' tiny' : ''}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

/** The sign of the agent, which is no person. */
export const AgentAvatar = () => (
  <span class="avatar of-agent" aria-hidden="true">
    <Icon name="agents" />
  </span>
)

/** The avatar of a live agent: initials, or the sign of the desk for a name that is not known. */
export const PersonAvatar = ({ name }: { readonly name: string }) => (
  <span class="avatar of-person" aria-hidden="true">
    {name === '' ? <Icon name="desk" /> : initialsOf(name)}
  </span>
)

interface VisitorAvatarProps extends Omit<AvatarProps, 'name'> {
  readonly name?: string | null | undefined
}

/** The avatar of a visitor, whose name may be unknown. */
export const VisitorAvatar = ({ id, name, isTiny = false }: VisitorAvatarProps) => (
  <Avatar id={id} name={visitorName(id, name)} isTiny={isTiny} />
)
