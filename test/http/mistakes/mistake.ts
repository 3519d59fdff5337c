/** Who sends the request: a key, or none; `shop` sends a secret key and a shopper token. */
export type CallingRequest = 'none' | 'pub' | 'sec' | 'shop' | 'live' | 'catalogOnly' | 'ownOrigin'

/** A mistake that beginners make. Words in capital letters stand for values of the test: `PUB`, `SEC`, `TOKEN`, `CART`, `LINE`, `OTHERS`. */
export interface Mistake {
  what: string
  as: CallingRequest
  /** Method and path. */
  request: string
  headers?: Record<string, string>
  body?: unknown
  /** Status, and `code` or the `type` of the first entry; no code where the request succeeds. */
  answer: readonly [status: number, code?: string]
  /** The whole `detail`; of a 422, `<place>: <msg>` of each entry; and the header Forecourt-Hint. `TODAY` stands for the merchant's date. */
  detail: string | readonly string[]
}

/** A mistake with its answer, as one row of a table. */
export const mistake = (
  what: string,
  as: CallingRequest,
  request: string,
  sent: Pick<Mistake, 'headers' | 'body'>,
  answer: Mistake['answer'],
  detail: Mistake['detail'],
): Mistake => ({ what, as, request, ...sent, answer, detail })
