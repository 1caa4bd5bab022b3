import type { AgentId } from '../../domain/ids.ts'
import type { PhoneNumber } from '../../domain/telephony/phone-number.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import type { NumberClaim } from '../../settings/number-claim.ts'
import { within } from '../../shared/deadline.ts'
import type { Acting, Context } from '../context.ts'
import { checkNumber, importNumbers, type PhoneNumbersInput } from './phone-numbers.ts'

/** The time that the host has to say whether an account may have a number, milliseconds. */
const LONGEST = 10_000

/**
 * Returns the one refusal for numbers that are not the account's: it does not tell whether another account has them.
 */
const notYours = (numbers: readonly string[]): PlatformError =>
  new PlatformError(
    'USER_ACCESS_FORBIDDEN',
    `Not for this account: ${numbers.slice(0, 5).join(', ')}. The operator of this server gives phone numbers to accounts. None was imported.`,
    { body: { about: numbers.slice(0, 5) } },
  )

/**
 * Reports whether the host confirms that the account may have the number (TP37). Without `verifyNumber` it confirms
 * none.
 */
async function isVerified({ clock, settings }: Context, claim: NumberClaim): Promise<boolean> {
  const { onError, verifyNumber } = settings
  if (verifyNumber === null) return false
  const late = new PlatformError('INTERNAL', `verifyNumber did not answer within ${LONGEST} ms.`)
  try {
    return (await within(clock, { limit: LONGEST, late }, async () => verifyNumber(claim))) === true
  } catch (error) {
    onError(error, 'verifyNumber')
    return false
  }
}

/** See `Telephony.claimNumbers`. */
export async function claimNumbers(
  context: Acting,
  agentId: AgentId,
  input: PhoneNumbersInput,
): Promise<readonly PhoneNumber[]> {
  const { agents, access } = context.store
  const numbers = await Promise.all(input.phoneNumbers.map(checkNumber))
  const agent = await agents.find(agentId)
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
  const { accountId } = agent
  const refusedOf = async (): Promise<readonly string[]> => {
    const known = await access.phoneNumbers.find(numbers)
    const holders = new Map(known.map(one => [one.number, one.accountId]))
    // The host is asked about every number that is not the account's: a taken one takes as long as any other.
    const verdicts = await Promise.all(
      numbers.map(async number => {
        if (holders.get(number) === accountId) return true
        return (await isVerified(context, { accountId, agentId, number })) && !holders.has(number)
      }),
    )
    return numbers.filter((_, index) => verdicts[index] !== true)
  }
  const refused = await refusedOf()
  if (refused.length > 0) throw notYours(refused)
  try {
    return await importNumbers(context, agentId, input)
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'PHONE_NUMBERS_ALREADY_EXISTS') throw error
    // Another account may have been faster.
    const now = await access.phoneNumbers.find(numbers)
    const foreign = now.filter(one => one.accountId !== accountId).map(({ number }) => number)
    throw foreign.length > 0 ? notYours(foreign) : error
  }
}
