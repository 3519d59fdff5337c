export type Child = Node | string | number | false | null | undefined | readonly Child[]
type Attribute = string | number | boolean | null | undefined | ((event: Event) => unknown)
export type Attributes = Record<string, Attribute>

/** Makes an element. A function listens to the event that its attribute names. Text is never read as HTML. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value != null) element.setAttribute(name, String(value))
  }
  element.append(...toNodes(children))
  return element
}

function toNodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === false || child == null) return []
    if (typeof child === 'string' || typeof child === 'number') return [String(child)]
    return child instanceof Node ? [child] : toNodes(child)
  })
}

export const link = (href: string, ...children: Child[]) => el('a', { href }, ...children)

/** An element for each content. */
export const each = (tag: 'li' | 'td' | 'th' | 'tr', contents: readonly Child[], attributes: Attributes = {}) =>
  contents.map((content) => el(tag, attributes, content))

/** The rows of a `dl` that have a value. */
export const terms = (rows: readonly (readonly [term: string, value: Child])[]) =>
  rows.map(([term, value]) => value && [el('dt', {}, term), el('dd', {}, value)])

/** A labelled control. */
export const field = (label: string, name: string, attributes: Attributes = {}) =>
  el('label', { class: 'field' }, label, el('input', { name, id: name, ...attributes }))

/** Tells screen readers what has changed. */
export function announce(text: string): void {
  document.querySelector('#announcement')?.replaceChildren(text)
}
