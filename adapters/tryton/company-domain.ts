import type { TrytonContext } from './context.ts'

/** A domain of the records of the company. An account may see several companies, and these share their parties. */
export const companyDomain = ({ settings }: Pick<TrytonContext, 'settings'>): unknown[] => [
  'company',
  '=',
  settings.company ?? 1,
]
