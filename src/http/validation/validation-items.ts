import type { ValidationItem } from '../../contract/validation-error.ts'

export function addValidationError(
  items: ValidationItem[],
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): undefined {
  items.push(ctx === undefined ? { type, loc: [], msg, input } : { type, loc: [], msg, input, ctx })
}

export function addMissingError(items: ValidationItem[], input: unknown): undefined {
  addValidationError(items, 'missing', 'Field required', input)
}

/** Prepends `key` to the location of every item from `start` on. */
export function prependLocation(items: ValidationItem[], start: number, key: string | number): void {
  for (let at = start; at < items.length; at += 1) items[at]?.loc.unshift(key)
}
