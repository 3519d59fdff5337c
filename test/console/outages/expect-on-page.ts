import { expect } from 'chai'

/** The list of incidents and the page of one say the same duration. */
export function expectSameDuration({ list, page }: { list: string; page: string }, said: string): void {
  expect(page).to.include(`Duration ${said} `)
  expect(list).to.include(` GMT-5 ${said} `)
}

export function expectAll(text: string, said: readonly string[]): void {
  for (const part of said) expect(text).to.include(part)
}
