import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { askToSay, type Sound } from './ask-provider.ts'
import { MAX_VOICE_JSON, type Speech, speechSchema } from './voice-fields.ts'

/** See `Voices.synthesize`. */
export async function synthesize(context: Context, speech: Speech): Promise<Sound> {
  // Before the schema, which would not terminate on a circular value.
  refuseAttributes(speech.config, 'config', MAX_VOICE_JSON)
  const { text, config, language = null } = checked(speechSchema, speech)
  return askToSay(context, { text, config, language })
}
