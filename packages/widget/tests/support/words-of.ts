import type { View, ViewElement } from '../../src/chat/h.ts'

const isElement = (view: View): view is ViewElement => typeof view === 'object' && view !== null

/** The words of a view, as they are read one after the other. */
export const wordsOf = (view: View): string =>
  isElement(view) ? view.children.map(wordsOf).join('') : view || ''

/** All elements of a view, itself first. */
export const elementsOf = (view: View): readonly ViewElement[] =>
  isElement(view) ? [view, ...view.children.flatMap(elementsOf)] : []

/** A view as tags around its words: `<b>so</b>`. */
export const tagsOf = (view: View): string =>
  isElement(view)
    ? `<${view.tag}${view.attributes.href ? ` ${view.attributes.href}` : ''}>${view.children.map(tagsOf).join('')}</${view.tag}>`
    : view || ''
