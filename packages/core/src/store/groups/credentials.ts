import type { CredentialFilter } from '../../ports/store/api-keys.ts'
import type { Kind } from '../documents.ts'
import type { Guarded } from '../guarded.ts'

/**
 * Reports whether a use is to be noted: none was, or the newest is old enough, or further ahead than any clock (TM4).
 */
export const isUseDue = (lastUsedAt: number | null, at: number, interval: number): boolean =>
  lastUsedAt === null || lastUsedAt <= at - interval || lastUsedAt > at + interval

/**
 * Lists keys or connectors, by the index with the fewest candidates: `agent`, `account` or `time`, each of which begins
 * with `lead`.
 */
export function listCredentials<T extends { readonly accountId: string | null }>(
  { scanFor }: Guarded,
  kind: Kind<T>,
  {
    filter,
    lead,
    limit,
  }: { readonly filter: CredentialFilter; readonly lead: readonly string[]; readonly limit: number },
): Promise<readonly T[]> {
  const { after, accountId, agentId } = filter
  const [index, by] =
    agentId !== undefined
      ? (['agent', [agentId]] as const)
      : accountId !== undefined
        ? (['account', [accountId]] as const)
        : (['time', []] as const)
  const range = { prefix: [...lead, ...by], after: after && [after.createdAt, after.id], limit }
  return scanFor(kind, index, range, one => accountId === undefined || one.accountId === accountId)
}
