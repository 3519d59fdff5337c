import type { Api, Reply } from './api.ts'

export const PASSWORD = 'correct horse battery'

let made = 0
/** An address that nobody has used. */
export const newEmail = (): string => `shopper${++made}@new.example`

export const registrationOf = (email: string, password = PASSWORD) => ({
  ...{ email, password, first_name: 'Ann', last_name: 'Other' },
})

/** Posts to one of the calls of shoppers: '', '/login', '/refresh' … */
export const shopperCalls =
  (api: Api, key: string) =>
  (call: string, body: unknown, from?: string): Promise<Reply> => {
    const headers = from === undefined ? {} : { 'x-storefront-client-ip': from }
    return api.ask(`/v1/shoppers${call}`, { key, method: 'POST', headers, body })
  }

/** What a problem says, without the name of its request. */
export const withoutRequestId = ({ status, body }: Reply) => ({ status, body: { ...body, request_id: undefined } })
