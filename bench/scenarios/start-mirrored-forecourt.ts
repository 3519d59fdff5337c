import type { MirrorFill } from '../systems/fill-mirror.ts'
import { type ForecourtWithStubs, startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

/** The products of a list. */
const LIST = 50

/** Starts a Forecourt whose mirror has a catalog, in categories of about 50 products each. */
export async function startMirroredForecourt(products: number): Promise<ForecourtWithStubs> {
  const forecourt = await startForecourtWithStubs({ hasMirror: true })
  const fill: MirrorFill = { products, categories: products / LIST }
  await forecourt.process.request(fill)
  return forecourt
}

export const listPath = (products: number): string => `/v1/products?category=cat-%${products / LIST}d`

/** A filter that all products pass, another one in each request: no list of the mirror is requested twice. */
export const ANY_PRICE = '&max_price=9%d00000'
