import { listener } from '../frame/listener.ts'
import type { ExtraModule } from '../launcher/part.ts'
import { listen } from '../listen/listen.ts'
import { animate } from './animate.ts'
import { prompt, trouble } from './prompt.ts'

/** The same where the chat is in a frame. */
export const extra: ExtraModule['extra'] = {
  animate,
  listen: (frame, signal) => listen(frame, listener(frame), signal),
  prompt,
  trouble,
}
