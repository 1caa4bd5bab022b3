import { href } from '../router.ts'
import { say } from '../texts/common.ts'
import { Icon } from './icon.tsx'

/** Leads to a chat with an agent: the next step where there are no conversations. */
export const TalkLink = ({ agentId }: { readonly agentId: string }) => (
  <a class="button" href={href(['agents', agentId, 'debug'])}>
    <Icon name="play" />
    {say('talk')}
  </a>
)
