import type { ExtraModule } from '../launcher/part.ts'
import { over } from '../listen/follow.ts'
import { listen } from '../listen/listen.ts'
import { animate } from './animate.ts'
import { prompt, trouble } from './prompt.ts'

/** Functions of the launcher that only some pages need. They are loaded on their first use. */
export const extra: ExtraModule['extra'] = {
  animate,
  listen: (frame, signal) => listen(frame, over(null, frame.options.openSocket), signal),
  prompt,
  trouble,
}
