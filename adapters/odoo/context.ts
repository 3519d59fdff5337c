import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import type { PortName } from '../../src/ports/system.ts'
import { createAmountFormatter } from '../decimal-format.ts'
import { createLookupTableReader, type LookupTableReader } from './catalog/category-tag-and-unit-tables.ts'
import { createSkuRowLoader, type SkuRowLoader } from './catalog/sku-row-loader.ts'
import { createWarehouseReader, type Warehouses } from './catalog/warehouse-reader.ts'
import { createProductWrites, type ProductWrites } from './catalog/written-products.ts'
import { OdooId } from './client/odoo-values.ts'
import { createOptionalFieldReader, type OptionalFieldReader } from './client/optional-field-reader.ts'
import { createRpc, foundShape, type Rpc } from './client/rpc.ts'
import { settingError } from './client/setting-error.ts'
import { type Company, createCompanyReader } from './company-reader.ts'
import { type CountriesAndStates, createCountriesAndStates } from './customers/countries-and-states.ts'
import { createPriceListReader, type PriceListReader } from './pricing/price-list-reader.ts'
import { createPriceReader, type PriceReader } from './pricing/price-reader.ts'
import { createPromotionQuotes, type PromotionQuotes } from './pricing/promotion-code-quotes.ts'
import { createTaxTableReader, type TaxTables } from './pricing/tax-tables.ts'
import { createWebsitePriceListReader } from './pricing/website-price-list.ts'
import type { OdooSettings } from './settings.ts'

/** The client and the small tables that all ports of one Odoo share. */
export interface OdooContext {
  rpc: Rpc
  settings: OdooSettings
  facts: MerchantFacts
  nowMs(): number
  readOptionalFields: OptionalFieldReader
  readCatalogTables: LookupTableReader
  readWarehouses(call: Call): Promise<Warehouses>
  readCompany(call: Call): Promise<Company>
  priceLists: PriceListReader
  /** Returns the id of the price list of the website. `null`: none, so that the sales prices count. */
  readWebsitePriceList(call: Call): Promise<number | null>
  readPricing: PriceReader
  quotePromotions: PromotionQuotes
  skuRows: SkuRowLoader
  productWrites: ProductWrites
  /** True when the merchant's prices are read from this Odoo too. */
  isPricing: boolean
  countriesAndStates: CountriesAndStates
  /** The contacts of addresses of orders, by the digest of the address. Staff may have deleted one. */
  savedAddresses: LRUCache<string, number>
  readTaxTables(call: Call): Promise<TaxTables>
  /** Returns the id of the payment term with this name. */
  readPaymentTerm(name: string, call: Call): Promise<number>
  /** Rounds an amount half up to the digits of the merchant's currency. */
  formatAmount(value: Parameters<ReturnType<typeof createAmountFormatter>>[0]): string
  /** The number of decimals of the merchant's currency. */
  digits: number
  /** Records of the company, and those that all companies share. */
  companyDomain: unknown[]
  /** The products that the storefront sells. */
  onSaleDomain: unknown[]
}

const MAX_SAVED_ADDRESSES = 10_000

export function createContext(
  settings: OdooSettings,
  client: HttpClient,
  facts: MerchantFacts,
  systems: readonly PortName[],
): OdooContext {
  const nowMs = () => facts.now().getTime()
  const rpc = createRpc(settings, client)
  const readOptionalFields = createOptionalFieldReader(rpc, nowMs)
  const formatAmount = createAmountFormatter(facts.currency)
  const companyDomain = ['company_id', 'in', [false, settings.company ?? 1]]
  const published = settings.published_only ? [['is_published', '=', true]] : []
  const readWarehouses = createWarehouseReader(settings, rpc, nowMs)
  const readCompany = createCompanyReader(rpc, settings, facts)
  const base = {
    rpc,
    settings,
    facts,
    nowMs,
    isPricing: systems.includes('pricing'),
    readOptionalFields,
    skuRows: createSkuRowLoader({ rpc, companyDomain, readOptionalFields, readWarehouses, nowMs }),
    productWrites: createProductWrites({ rpc, companyDomain, publishedOnly: settings.published_only ?? false }),
    readCatalogTables: createLookupTableReader(rpc, readOptionalFields, nowMs),
    readWarehouses,
    readCompany,
    priceLists: createPriceListReader(rpc, settings, nowMs),
    readWebsitePriceList: createWebsitePriceListReader({
      rpc,
      settings,
      facts,
      nowMs,
      readOptionalFields,
      readCompany,
    }),
    countriesAndStates: createCountriesAndStates(rpc, nowMs),
    savedAddresses: new LRUCache<string, number>({ max: MAX_SAVED_ADDRESSES }),
    readTaxTables: createTaxTableReader(rpc, settings, nowMs),
    readPaymentTerm: (name: string, call: Call) => readPaymentTerm(rpc, name, call),
    formatAmount,
    digits: formatAmount('0').split('.')[1]?.length ?? 0,
    companyDomain,
    onSaleDomain: [['sale_ok', '=', true], ['default_code', '!=', false], companyDomain, ...published],
  }
  return { ...base, quotePromotions: createPromotionQuotes(base), readPricing: createPriceReader(base) }
}

const PaymentTerms = foundShape(Type.Object({ id: OdooId }))

async function readPaymentTerm(rpc: Rpc, name: string, call: Call): Promise<number> {
  const search = { domain: [['name', '=', name]], specification: {}, order: 'id', limit: 1 }
  const [term] = (await rpc.search(PaymentTerms, 'account.payment.term', search, call)).records
  if (!term) throw settingError(`Odoo has no payment term "${name}" (setting cash_term)`)
  return term.id
}
