import type { ExtraModule } from '../launcher/part.ts'
import { animate } from './animate.ts'
import { listen } from './listen.ts'
import { prompt, trouble } from './prompt.ts'

/** What a launcher needs on some pages alone: it is loaded with its first use. */
export const extra: ExtraModule['extra'] = { animate, listen, prompt, trouble }
