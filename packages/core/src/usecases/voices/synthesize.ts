import type { Context } from '../context.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { askToSay, type Sound } from './ask-provider.ts'
import { MAX_VOICE_JSON, type Speech } from './voice-fields.ts'

/** See `Voices.synthesize`. */
export async function synthesize(
  context: Context,
  { text, config, language = null }: Speech,
): Promise<Sound> {
  refuseAttributes(config, 'config', MAX_VOICE_JSON)
  return askToSay(context, { text, config, language })
}
