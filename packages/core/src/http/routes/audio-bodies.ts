import * as z from 'zod'
import { startOf } from '../../domain/cut-text.ts'
import { parse } from '../../domain/parse.ts'
import { PlatformError } from '../../errors.ts'
import { type AudioChange, MAX_AUDIO_BYTES } from '../../usecases/voices/audio-fields.ts'
import { MAX_VOICE_JSON, speechFields } from '../../usecases/voices/voice-fields.ts'
import { readJson, refuseEncoding } from '../read-json.ts'
import type { HttpRequest } from '../route.ts'

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** @throws UNSUPPORTED_CONTENT_TYPE */
function requireType({ headers }: HttpRequest, types: readonly string[]): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (!types.includes(type.trim().toLowerCase()))
    throw new PlatformError(
      'UNSUPPORTED_CONTENT_TYPE',
      `The body must have the content type ${types[0] ?? ''}.`,
    )
  refuseEncoding(headers)
}

const filenameSchema = z.object({ 'x-filename': z.string().min(1).max(255).exactOptional() })

const named = (filename: string | undefined) => (filename === undefined ? {} : { filename })

/** Reads a WAV as it is, with its name in a header. */
export async function readSoundBody(request: HttpRequest): Promise<AudioChange> {
  requireType(request, ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'])
  const given = request.headers['x-filename']
  const { 'x-filename': filename } = parse(
    filenameSchema,
    given === undefined ? {} : { 'x-filename': given },
    'header',
  )
  return { audio: await request.body(MAX_AUDIO_BYTES), ...named(filename) }
}

/** Bytes of a form beside the audio: its settings, and the lines between its parts. */
const BESIDE = 2 * MAX_VOICE_JSON

const settingsSchema = z.object({ text: speechFields.text, config: speechFields.config })

/** @throws SCHEMA_VALIDATION_FAILED */
async function formOf({ headers }: HttpRequest, body: Uint8Array): Promise<FormData> {
  try {
    // A copy, so that nothing else changes the bytes while they are read.
    const response = new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    })
    return await response.formData()
  } catch {
    throw invalid('The body is no multipart form.')
  }
}

/** Reads a form with a WAV, `file`, and JSON that says how it was made, `settings`. */
export async function readSoundForm(request: HttpRequest, depth: number): Promise<AudioChange> {
  requireType(request, ['multipart/form-data'])
  const form = await formOf(request, await request.body(MAX_AUDIO_BYTES + BESIDE))
  const file = form.get('file')
  const settings = form.get('settings')
  if (file === null || typeof file === 'string') throw invalid('The form must have a file, "file".')
  if (settings === null) throw invalid('The form must have "settings".')
  const json = new Uint8Array(await new Blob([settings]).arrayBuffer())
  const said = await readJson({ ...request, headers: {}, body: async () => json }, { bytes: BESIDE, depth })
  const { text, config } = parse(settingsSchema, said, 'settings field')
  const audio = new Uint8Array(await file.arrayBuffer())
  // Form parsers give this name to a file without one.
  const filename = file.name === '' || file.name === 'blob' ? undefined : startOf(file.name, 255)
  return { audio, text, config, ...named(filename) }
}
