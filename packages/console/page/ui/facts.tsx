import type { ComponentChildren } from 'preact'

interface FactsProps {
  /** Whether they stand on a sheet of their own, as figures. @default false */
  readonly isSheet?: boolean
  readonly children: ComponentChildren
}

/** Shows facts, name by name. */
export const Facts = ({ isSheet = false, children }: FactsProps) => (
  <dl class={isSheet ? 'facts card' : 'facts'}>{children}</dl>
)

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class="quiet small">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
