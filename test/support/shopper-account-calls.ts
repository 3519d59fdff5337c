import type { Api, Reply } from './api.ts'

export const PASSWORD = 'correct horse battery'

let count = 0
/** Returns an unused email address. */
export const newEmail = (): string => `shopper${++count}@new.example`

export const registrationOf = (email: string, password = PASSWORD) => ({
  email,
  password,
  first_name: 'Ann',
  last_name: 'Other',
})

/** Returns a function that posts to a path below /v1/shoppers: '', '/login', '/refresh' … */
export const shopperAccountCalls =
  (api: Api, key: string) =>
  (path: string, body: unknown, clientAddress?: string): Promise<Reply> => {
    const headers = clientAddress === undefined ? {} : { 'x-storefront-client-ip': clientAddress }
    return api.request(`/v1/shoppers${path}`, { key, method: 'POST', headers, body })
  }
