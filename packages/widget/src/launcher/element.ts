/** Appends an element of that tag, with attributes, to a parent. */
export function element(
  parent: Node,
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
): HTMLElement {
  const made = document.createElement(tag)
  for (const name in attributes) made.setAttribute(name, attributes[name] ?? '')
  return parent.appendChild(made)
}
