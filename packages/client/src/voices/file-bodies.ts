import type { ApiFetch } from '../http/api.ts'
import type { VoiceOperations } from '../http/operations.ts'

/** A body that is no JSON, with its content type. */
export interface FileBody {
  readonly type: string
  readonly body: Blob
}

/** Returns a `fetch` that sends this body in the place of another one. */
export const sending =
  (given: ApiFetch | undefined, { type, body }: FileBody): ApiFetch =>
  (url, request) =>
    (given ?? fetch)(url, { ...request, headers: { ...request.headers, 'content-type': type }, body })

/** Returns a WAV as it is. */
export const wavBody = (audio: ArrayBuffer): FileBody => ({ type: 'audio/wav', body: new Blob([audio]) })

/** Returns a form with a WAV and its description. */
export function formBody({
  file,
  settings,
}: VoiceOperations['replaceCachedAudioDetails']['input']['body']): FileBody {
  const boundary = `colloquy-${crypto.randomUUID()}`
  const part = (head: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name=${head}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([
      ...[part('"settings"'), JSON.stringify(settings), '\r\n'],
      ...[part('"file"; filename="blob"\r\ncontent-type: audio/wav'), file, `\r\n--${boundary}--\r\n`],
    ]),
  }
}
