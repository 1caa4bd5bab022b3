import type { Attachment, CallAction, Message } from '@colloquy/client/messaging'
import { h, type View } from '../h.ts'
import { link, safePicture } from '../markdown.ts'
import type { Model } from '../model.ts'
import { drawing } from '../view/parts.ts'

const PHONE = 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z'

/** A picture that cannot be shown leaves its place to its title. */
const hide = ({ currentTarget }: { readonly currentTarget: Element }): void =>
  currentTarget.setAttribute('hidden', '')

const picture = (address: string, alt: string): View => {
  const src = safePicture(address)
  return src !== null && h('img', { src, alt, loading: 'lazy', referrerpolicy: 'no-referrer', onerror: hide })
}

/** Returns a link or a picture, with all that is said of it. */
function card({ action, kind, previewUrl, title, url }: Attachment, { words }: Model): View {
  const isImage = kind === 'image'
  const name = title || (isImage ? words.image : url)
  const shown = h(
    'span',
    { class: 'card' },
    isImage ? picture(previewUrl || url, name) : picture(previewUrl, ''),
    (!isImage || title !== '') && h('strong', {}, name),
    action !== '' && action !== title && h('span', { class: 'action' }, action),
  )
  return link(url, shown, 'card-link')
}

const call = ({ number, title }: CallAction): View =>
  link(
    `tel:${number.replace(/[^\d+*#]/g, '')}`,
    h('span', { class: 'button plain' }, drawing('phone', PHONE), title || number),
    'call',
  )

/** Renders the attachments of a message: links, pictures, and numbers to call. */
export const beside = ({ attachments, callActions }: Message, model: Model): View =>
  h(
    'div',
    { class: 'beside' },
    attachments.map(one => card(one, model)),
    callActions.length > 0 && h('div', { class: 'row' }, callActions.map(call)),
  )
