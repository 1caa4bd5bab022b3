import { h, type View } from '../h.ts'
import { type Acts, isOpen, type Model } from '../model.ts'
import { button, icon, isComposing } from './parts.ts'

/** Makes the text field as high as its lines, up to the style's maximum. */
function fit(area: HTMLTextAreaElement): void {
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight}px`
}

/** Renders the text field of the visitor. The page keeps its text until it is sent. */
function composer(model: Model, acts: Acts): View {
  const { draft, files, talk, words } = model
  return h(
    'form',
    {
      key: 'composer',
      class: 'composer',
      onsubmit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) {
        event.preventDefault()
        const area = event.currentTarget.querySelector('textarea')
        const text = area?.value.trim() ?? ''
        if (area === null || files?.busy || !(text || files?.count)) return
        acts.send(text)
        fit(area)
      },
    },
    files?.button(model) ?? null,
    h('textarea', {
      key: 'text',
      rows: 1,
      value: draft,
      dir: 'auto',
      'aria-label': words.message,
      placeholder: words.message,
      enterkeyhint: 'send',
      oninput({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) {
        fit(currentTarget)
        acts.write(currentTarget.value)
      },
      onkeydown(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) {
        // While a word is composed, Enter belongs to it.
        if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      },
    }),
    talk?.button(model) ?? null,
    h(
      'button',
      {
        class: 'round send',
        'aria-label': words.send,
        title: words.send,
        // A phone's keyboard stays.
        onmousedown: (event: Event) => event.preventDefault(),
      },
      icon('send'),
    ),
  )
}

/** Renders the area below the conversation: the text field, a question to confirm, or the notice that it has ended. */
export function footView(model: Model, acts: Acts): View {
  const { asking, conversation, words } = model
  if (asking !== null && isOpen(model)) return model.more?.question(model, acts) ?? null
  if (conversation.status === 'ended')
    return (
      model.more?.ended(model, acts) ??
      h('div', { key: 'ended', class: 'foot' }, button(words.renew, acts.renew, 'main'))
    )
  return composer(model, acts)
}
