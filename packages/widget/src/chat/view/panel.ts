import { h, type View } from '../h.ts'
import type { Acts, Model } from '../model.ts'
import { footView } from './foot.ts'
import { headView, titleOf } from './head.ts'
import { logView } from './log.ts'
import { statusView } from './status.ts'

function body(model: Model, acts: Acts): readonly View[] {
  const { consent, more, past } = model
  if (past !== null && more !== null) return more.history(model, acts)
  const head = headView(model, acts)
  if (consent !== null) return [...head, more?.consent(model, acts) ?? null]
  return [
    ...head,
    ...logView(model, acts),
    statusView(model, acts),
    model.talk?.bar(model) ?? null,
    model.files?.tray(model) ?? null,
    footView(model, acts),
  ]
}

/** Returns the view of the whole chat. */
export function panelView(model: Model, acts: Acts): View {
  const { fills, full, inside, language } = model
  return h(
    'section',
    {
      key: 'panel',
      id: 'panel',
      class: `panel${full ? ' full' : ''}${fills ? ' inside' : ''}`,
      role: inside ? 'region' : 'dialog',
      'aria-modal': full ? 'true' : null,
      'aria-label': titleOf(model),
      tabindex: -1,
      lang: language,
      dir: /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr',
    },
    ...body(model, acts),
  )
}
