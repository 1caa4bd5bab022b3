import { Badge, Time } from '../../ui/parts.tsx'
import { say } from './texts.ts'

interface CredentialStateProps {
  readonly revokedAt: string | null
  readonly expiresAt: string | null
}

export const isRevoked = ({ revokedAt }: CredentialStateProps): boolean => revokedAt !== null

const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= Date.now()

/** Reports whether a key or a connector still opens anything. */
export function CredentialState(credential: CredentialStateProps) {
  const { expiresAt } = credential
  if (isRevoked(credential)) return <Badge tone="bad">{say('revoked')}</Badge>
  if (isPast(expiresAt)) return <Badge tone="over">{say('expired')}</Badge>
  return (
    <>
      <Badge tone="good">{say('active')}</Badge>{' '}
      {expiresAt !== null && (
        <span class="quiet small">
          {say('ends')} <Time at={expiresAt} />
        </span>
      )}
    </>
  )
}

/** Shows a moment, or that it never came. */
export function Moment({ at }: { readonly at: string | null }) {
  return at === null ? <span class="quiet">{say('never')}</span> : <Time at={at} />
}
