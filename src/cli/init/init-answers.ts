export const backOffices = ['sandbox', 'rest', 'tryton', 'odoo'] as const
export type BackOfficeKind = (typeof backOffices)[number]

/** The answers to the questions of `forecourt init`, as texts. An empty text, or "none", means that there is no such thing. */
export interface InitAnswers {
  backOffice: BackOfficeKind
  address: string
  pricingAddress: string
  accountingAddress: string
  database: string
  user: string
  secret: string
  merchant: string
  name: string
  currency: string
  timeZone: string
  mail: string
  mailFrom: string
  store: string
  proxy: string
  publicUrl: string
  /** The data directory, and the port of the API. They are not asked for. */
  data: string
  port: string
}

/** Answers that are valid, for what has not been asked yet. */
export const draftAnswers: InitAnswers = {
  backOffice: 'sandbox',
  address: 'https://erp.example',
  pricingAddress: 'https://erp.example',
  accountingAddress: 'https://erp.example',
  database: 'draft',
  user: 'draft',
  secret: 'draft',
  merchant: 'draft',
  name: 'Draft',
  currency: 'USD',
  timeZone: 'UTC',
  mail: 'none',
  mailFrom: 'Draft <shop@draft.example>',
  store: 'sqlite',
  proxy: 'none',
  publicUrl: 'none',
  data: './data',
  port: '8080',
}

export const isGiven = (answer: string): boolean => answer !== '' && answer !== 'none'
