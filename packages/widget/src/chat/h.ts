/** Value of an attribute. `true` renders it without a value; `false` and null omit it. */
type Value = string | number | boolean | null | undefined | ((event: never) => void)

/** An element as it is to be: plain data, except for what hears its events. */
export interface ViewElement {
  readonly tag: string
  /** Stands for the element among the others of its parent; its place does where it is null. */
  readonly key: string | null
  /** `on…` are listeners, `value` is the property of that name; all others are attributes. */
  readonly attributes: Readonly<Record<string, Value>>
  readonly children: readonly View[]
}

/** A part of a page to render. An omitted one keeps its place for the others. */
export type View = ViewElement | string | null | false

/** Makes an element of a view: `h('p', { class: 'note' }, 'Hello')`. A list stands for its entries. */
export function h(
  tag: string,
  { key = null, ...attributes }: { readonly key?: string | null; readonly [name: string]: Value },
  ...children: readonly (View | readonly View[])[]
): ViewElement {
  return { tag, key, attributes, children: children.flat() }
}
