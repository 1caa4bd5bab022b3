import type { Environment } from '../../../domain/environment.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentsDeps } from '../deps.ts'

/**
 * Refuses to skip pre-release if the host wants every version tried there (AG40). @throws
 * DEPLOYMENTS_PRE_RELEASE_REQUIRED
 */
export function refuseSkipping({ context }: AgentsDeps, from: Environment, to: Environment): void {
  if (!context.settings.requirePreRelease || from !== 'sandbox' || to !== 'live') return
  const message =
    'A deployment in sandbox cannot go straight to live. Promote it to pre-release, and that deployment to live.'
  throw new PlatformError('DEPLOYMENTS_PRE_RELEASE_REQUIRED', message)
}
