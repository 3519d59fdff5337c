import type { Validator } from './validator.ts'

export interface ChoiceOptions {
  first: Validator
  second: Validator
  /** An object that has this member, and none of `firstMembers`, is of the second kind. */
  secondMember: string
  firstMembers: readonly string[]
}

/** Validates one of two kinds of object. The members of a value decide, so its errors are those of one kind alone. */
export function createChoiceValidator({ first, second, secondMember, firstMembers }: ChoiceOptions): Validator {
  const isSecond = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, secondMember) &&
    !firstMembers.some((name) => Object.hasOwn(value, name))
  return (value, items) => (isSecond(value) ? second : first)(value, items)
}
