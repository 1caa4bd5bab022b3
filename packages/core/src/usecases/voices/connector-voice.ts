import type { TelephonyConnector } from '../../domain/access/access.ts'
import { languageSchema } from '../../domain/access/schemas.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { listVoices } from './library.ts'

/**
 * Returns the fields that a telephony connector takes from its voice: the voice's language, if it is known. Without a
 * speech provider nothing is known, and every name is accepted (VL11).
 *
 * @throws SPEECH_PROVIDER_FAILED
 * @throws SCHEMA_VALIDATION_FAILED for a name that no voice of the account's library has
 */
export async function connectorVoice(
  context: Context,
  { accountId, voiceName }: Pick<TelephonyConnector, 'accountId' | 'voiceName'>,
): Promise<Partial<Pick<TelephonyConnector, 'ttsLangCode'>>> {
  if (context.speechProvider === null || voiceName === '') return {}
  const wanted = voiceName.toLowerCase()
  const voice = (await listVoices(context, accountId, {})).find(({ id, name, providerVoiceId }) =>
    [id, name, providerVoiceId].some(one => one.toLowerCase() === wanted),
  )
  if (voice === undefined)
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      "The field voiceName is not valid: expected the id, the name or the provider's id of a voice in the library, or an empty text.",
    )
  const { data: ttsLangCode } = languageSchema.safeParse(voice.metadata?.language)
  return ttsLangCode === undefined ? {} : { ttsLangCode }
}
