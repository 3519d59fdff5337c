import { type BackOfficeKind, backOffices, type InitAnswers, isGiven } from './init-answers.ts'

/** Reads the currency of the company from the back office; `undefined`: it cannot be read. */
export type CurrencyReader = (answers: InitAnswers) => Promise<string | undefined>

/** A question of `forecourt init`. */
export interface InitQuestion {
  name: keyof InitAnswers
  /** The option that answers it. A secret has none, because other accounts can see command lines. */
  flag?: string
  text: string
  choices?: readonly string[]
  isSecret?: boolean
  isAsked(answers: InitAnswers): boolean
  /** Returns the answer to an empty line, and of --yes; `undefined`: there is none. */
  fallback(answers: InitAnswers, readCurrency: CurrencyReader): string | undefined | Promise<string | undefined>
  /** Lists the settings that the answer decides. */
  paths(answers: InitAnswers): readonly string[]
}

const always = () => true
const usesOneOf =
  (...offices: BackOfficeKind[]) =>
  ({ backOffice }: InitAnswers) =>
    offices.includes(backOffice)
const isLive = usesOneOf('rest', 'tryton', 'odoo')
const live =
  (setting: string) =>
  ({ merchant }: InitAnswers) => [`merchants.${merchant}.live.${setting}`]
const merchant = (setting: string) => (answers: InitAnswers) => [`merchants.${answers.merchant}.${setting}`]
const top =
  (...paths: string[]) =>
  () =>
    paths
const localTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

const DEFAULT_CURRENCY = 'USD'
const currency = {
  name: 'currency',
  flag: 'currency',
  text: 'Currency (ISO 4217)',
  paths: merchant('currency'),
} as const
/** Odoo says which currency its company has, so the question comes after the login. */
const isReadable = usesOneOf('odoo')

/** The questions in their order. The merchant is first among those whose settings are in its block. */
export const initQuestions: readonly InitQuestion[] = [
  {
    name: 'backOffice',
    flag: 'back-office',
    text: 'Back office (sandbox: only the embedded one)',
    choices: backOffices,
    isAsked: always,
    fallback: () => 'sandbox',
    paths: () => [],
  },
  {
    name: 'merchant',
    flag: 'merchant',
    text: 'Merchant id (a-z, 0-9, - and _)',
    isAsked: always,
    fallback: () => 'shop',
    paths: (answers) => [`merchants.${answers.merchant}`],
  },
  {
    name: 'name',
    flag: 'name',
    text: 'Name of the merchant',
    isAsked: always,
    fallback: (a) => a.merchant,
    paths: merchant('name'),
  },
  {
    ...currency,
    isAsked: (answers) => !isReadable(answers),
    fallback: () => DEFAULT_CURRENCY,
  },
  {
    name: 'timeZone',
    flag: 'time-zone',
    text: 'Time zone (IANA name)',
    isAsked: always,
    fallback: localTimeZone,
    paths: merchant('time_zone'),
  },
  {
    name: 'address',
    flag: 'address',
    text: 'Address of the back office',
    isAsked: isLive,
    fallback: () => undefined,
    paths: live('inventory.address'),
  },
  {
    name: 'pricingAddress',
    flag: 'pricing-address',
    text: 'Address of pricing',
    isAsked: usesOneOf('rest'),
    fallback: (a) => a.address,
    paths: live('pricing.address'),
  },
  {
    name: 'accountingAddress',
    flag: 'accounting-address',
    text: 'Address of accounting',
    isAsked: usesOneOf('rest'),
    fallback: (a) => a.address,
    paths: live('accounting.address'),
  },
  {
    name: 'database',
    flag: 'database',
    text: 'Database (none: the only database of the server, Odoo 19 only)',
    isAsked: usesOneOf('tryton', 'odoo'),
    fallback: (a) => (a.backOffice === 'odoo' ? 'none' : undefined),
    paths: live('inventory.database'),
  },
  {
    name: 'user',
    flag: 'user',
    text: 'Login of Forecourt’s user in the back office (none: Odoo 19 only)',
    isAsked: usesOneOf('tryton', 'odoo'),
    fallback: (a) => (a.backOffice === 'odoo' ? 'none' : undefined),
    paths: live('inventory.user'),
  },
  {
    name: 'secret',
    text: 'Token, password or API key for the back office',
    isSecret: true,
    isAsked: isLive,
    fallback: () => undefined,
    paths: (a) => ['token', 'password', 'api_key'].flatMap((setting) => live(`inventory.${setting}`)(a)),
  },
  {
    ...currency,
    isAsked: isReadable,
    fallback: async (answers, readCurrency) => (await readCurrency(answers)) ?? DEFAULT_CURRENCY,
  },
  {
    name: 'mail',
    flag: 'mail',
    text: 'Mail server (smtps://user:password@host, or none)',
    isSecret: true,
    isAsked: isLive,
    fallback: () => 'none',
    paths: top('mail.url'),
  },
  {
    name: 'mailFrom',
    flag: 'mail-from',
    text: 'Sender of emails, as in Acme <shop@acme.example>',
    isAsked: (a) => isLive(a) && isGiven(a.mail),
    fallback: () => undefined,
    paths: top('mail.from'),
  },
  {
    name: 'store',
    flag: 'store',
    text: 'Store (sqlite, or postgres://user:password@host/database)',
    isSecret: true,
    isAsked: always,
    fallback: () => 'sqlite',
    paths: top('store'),
  },
  {
    name: 'proxy',
    flag: 'proxy',
    text: 'Proxies in front (none, loopback, or networks separated by commas)',
    isAsked: always,
    fallback: () => 'none',
    paths: top('trusted_proxies'),
  },
  {
    name: 'publicUrl',
    flag: 'public-url',
    text: 'URL of the API for browsers (https://…, or none)',
    isAsked: always,
    fallback: () => 'none',
    paths: top('public_url'),
  },
]
