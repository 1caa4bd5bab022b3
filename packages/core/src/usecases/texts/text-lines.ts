import { reservationAt } from '../../domain/telephony/pooled-number.ts'
import type { Context } from '../context.ts'
import type { TextParts } from './text-parts.ts'

/** The most numbers of an agent to search for one to text from. */
const MOST_NUMBERS = 1_000

/** Returns the numbers and the connectors that answer them, as stored. */
export const textLines = ({
  clock,
  store: {
    access: { connectors, numberPool, phoneNumbers },
  },
}: Pick<Context, 'clock' | 'store'>): Pick<
  TextParts,
  'attributesOf' | 'connectorOf' | 'connectorOfId' | 'numbersOf' | 'senderOf'
> => ({
  async attributesOf(number, agentId) {
    const pooled = await numberPool.find(number)
    const reserved = pooled?.agentId === agentId ? reservationAt(pooled, clock.now()) : null
    return reserved?.attributes ?? {}
  },
  async connectorOf(number) {
    const [found] = await phoneNumbers.find([number])
    const connector = found?.connectorId == null ? null : await connectors.findTelephony(found.connectorId)
    return connector?.revokedAt === null ? connector : null
  },
  async senderOf(name) {
    const [found = null] = await phoneNumbers.find([name])
    return found
  },
  async connectorOfId(id) {
    const connector = await connectors.findTelephony(id)
    return connector?.revokedAt === null ? connector : null
  },
  async numbersOf({ agentId, environment, id }) {
    const all = await phoneNumbers.list(agentId, {}, MOST_NUMBERS)
    const usable = all.filter(number => number.environment === environment)
    const own = usable.filter(({ connectorId }) => connectorId === id)
    return [...own, ...usable.filter(({ connectorId }) => connectorId !== id)].map(({ number }) => number)
  },
})
