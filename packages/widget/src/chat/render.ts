import type { View, ViewElement } from './h.ts'

/** A node, and the view that it was made of. */
type Made = ChildNode & { madeOf?: { readonly id: string; readonly view: View } }

const SVG = 'http://www.w3.org/2000/svg'
const DRAWN = ['svg', 'path', 'circle']

/** Returns the id of a view among its siblings. */
const idOf = (view: View, place: number): string => {
  if (typeof view !== 'object' || view === null) return `text ${place}`
  return `${view.tag} ${view.key ?? place}`
}

function setAttribute(element: Element, name: string, value: unknown): void {
  if (name.startsWith('on')) Reflect.set(element, name, value)
  else if (name === 'value') {
    if (Reflect.get(element, name) !== value) Reflect.set(element, name, value)
  } else if (value === false || value === null || value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}

function update(element: Element, before: ViewElement | null, view: ViewElement): void {
  const old = before?.attributes ?? {}
  for (const name of Object.keys(old)) if (!(name in view.attributes)) setAttribute(element, name, null)
  for (const [name, value] of Object.entries(view.attributes))
    if (value !== old[name] || name === 'value') setAttribute(element, name, value)
  if (before?.children !== view.children) render(element, view.children)
}

const make = (view: View): Made => {
  if (typeof view !== 'object' || view === null) return document.createTextNode('')
  const { tag } = view
  return DRAWN.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
}

function fill(node: Made, id: string, view: View): void {
  const before = node.madeOf?.view ?? null
  node.madeOf = { id, view }
  if (before === view) return
  if (typeof view === 'object' && view !== null)
    update(node as ChildNode as Element, before as ViewElement | null, view)
  else if (node.textContent !== view) node.textContent = view || ''
}

/**
 * Makes the children of an element what the views say. Nodes that were there stay, in the same order if they may: so
 * focus, scrolling and what a screen reader has announced stay as well.
 */
export function render(parent: Element | ShadowRoot, views: readonly View[]): void {
  const wanted = new Map(
    views.flatMap((view, place) => (view === null || view === false ? [] : [[idOf(view, place), view]])),
  )
  const there = new Map<string, Made>()
  for (const node of [...parent.childNodes] as Made[]) {
    const id = node.madeOf?.id
    if (id !== undefined && wanted.has(id)) there.set(id, node)
    // Also what translators and others have put in the place of ours.
    else node.remove()
  }
  let place: ChildNode | null = parent.firstChild
  for (const [id, view] of wanted) {
    const node = there.get(id) ?? make(view)
    fill(node, id, view)
    if (node === place) place = place.nextSibling
    else parent.insertBefore(node, place)
  }
}
