import type { ComponentChildren } from 'preact'

/** Shows facts, name by name. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class="quiet small">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
