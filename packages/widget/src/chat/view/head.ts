import { h, type View } from '../h.ts'
import { safePicture } from '../markdown.ts'
import type { Acts, Model } from '../model.ts'
import { icon, iconButton } from './parts.ts'

/** Returns the current title of the chat: the person's name as soon as there is one. */
export function titleOf({ conversation: { messages, servedBy }, title, words }: Model): string {
  if (servedBy?.kind === 'live agent') return servedBy.name || words.person
  return title ?? (servedBy?.name || messages.find(({ name }) => name)?.name || words.chat)
}

function below({ conversation: { servedBy, status }, words }: Model): string {
  if (status === 'connecting') return words.connecting
  if (servedBy === null) return ''
  return servedBy.kind === 'agent' ? words.agent : words.person
}

function portrait(model: Model): View {
  const { logo, conversation } = model
  const { avatarUrl = '', kind = 'agent' } = conversation.servedBy ?? {}
  // A person never looks like the agent: without a picture of their own they have their initial.
  const src = safePicture(kind === 'live agent' ? avatarUrl : (logo ?? avatarUrl))
  if (src !== null)
    return h('img', { key: src, class: 'portrait', src, alt: '', referrerpolicy: 'no-referrer' })
  const initial = [...titleOf(model)][0] ?? ''
  return h('span', { key: 'initial', class: 'portrait', 'aria-hidden': 'true' }, initial.toUpperCase())
}

/**
 * Renders the agent's name and the chat's own buttons. Without a header, renders the button that closes a chat covering
 * the page.
 */
export function headView(model: Model, acts: Acts): readonly View[] {
  const { closes, consent, full, header, inside, words } = model
  const close = !inside && iconButton(icon('close'), words.close, acts.close)
  if (!header) return [full && closes && h('div', { class: 'latest alone' }, close)]
  return [
    h(
      'header',
      { key: 'head' },
      portrait(model),
      h('div', { class: 'who' }, h('h2', {}, titleOf(model)), consent === null && h('p', {}, below(model))),
      consent === null &&
        iconButton(icon('menu'), words.menu, acts.menu, {
          'aria-expanded': String(model.menu),
          'aria-controls': 'menu',
        }),
      close,
    ),
    model.menu && (model.more?.menu(model, acts) ?? null),
  ]
}
