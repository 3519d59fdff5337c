import type { TemplateResponse } from '../console-page.ts'
import { type MerchantDirectory, modes } from '../merchant-directory.ts'

/** Of what an address may say. */
const LONGEST = 80

/**
 * What a page answers to an address that names a merchant or a mode which is not there, with those to choose from: another's must not be
 * shown in its place. `null`: what it names is there, or it names none.
 */
export function checkMerchantFilter(
  path: string,
  query: URLSearchParams,
  { all }: MerchantDirectory,
): TemplateResponse | null {
  const merchants = all.map(({ merchant, name }) => ({ value: merchant, name }))
  const known = { merchant: merchants, mode: modes.map((mode) => ({ value: mode, name: mode })) }
  for (const what of ['merchant', 'mode'] as const) {
    const asked = query.get(what) ?? ''
    if (asked === '' || known[what].some(({ value }) => value === asked)) continue
    const choice = known[what].map(({ value, name }) => ({ name, href: `${path}?${instead(query, what, value)}` }))
    const view = { what, asked: asked.slice(0, LONGEST), choice }
    return { template: 'unknown-merchant', title: `No such ${what}`, view, status: 404 }
  }
  return null
}

function instead(query: URLSearchParams, what: string, value: string): URLSearchParams {
  const of = new URLSearchParams(query)
  of.set(what, value)
  // A place in the other's list.
  of.delete('before')
  return of
}
