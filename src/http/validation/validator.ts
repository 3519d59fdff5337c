import type { ValidationItem } from '../../contract/validation-error.ts'

/**
 * Converts a value, or adds its errors to `items` (the return value is then ignored).
 * Locations are relative: the caller prepends its own key, so a valid request pays nothing for them.
 */
export type Validator = (value: unknown, items: ValidationItem[]) => unknown
