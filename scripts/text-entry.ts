import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Lets a bundle begin with a text, which imports as a file of that folder would.
 *
 * @param name says by its ending in which language the text is. @default 'entry.ts'
 */
export function textEntry(
  text: string,
  folder: string,
  name = 'entry.ts',
): { readonly input: string; readonly plugin: Plugin } {
  const input = join(folder, `text-of-${name}`)
  const plugin: Plugin = {
    name: 'an entry that is a text',
    resolveId: id => (id === input ? id : null),
    load: id => (id === input ? text : null),
  }
  return { input, plugin }
}
