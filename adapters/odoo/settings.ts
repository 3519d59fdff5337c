import { type Static, Type } from 'typebox'

/** The language of a merchant whose settings name none. */
export const DEFAULT_LANGUAGE = 'en_US'

export const OdooSettings = Type.Object({
  api_key: Type.String({ minLength: 1, description: 'API key of the user that Forecourt acts as.' }),
  database: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Where one server holds several databases, and always for Odoo 18 and below.',
    }),
  ),
  user: Type.Optional(
    Type.String({ minLength: 1, description: 'Login of the user with the API key. Only for Odoo 18 and below.' }),
  ),
  company: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  language: Type.Optional(Type.String({ minLength: 2, default: DEFAULT_LANGUAGE })),
  warehouse: Type.Optional(
    Type.String({ minLength: 1, description: 'Code or name of the warehouse to sell from; without it, all.' }),
  ),
  branches: Type.Optional(
    Type.Boolean({ description: 'Show the band of each warehouse. One more call per read of stock. Default: false.' }),
  ),
  published_only: Type.Optional(
    Type.Boolean({ default: false, description: "Sell only what is published on Odoo's website." }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: "ISO 3166-1 code for addresses without a country in Odoo, and for the website's price list.",
    }),
  ),
  cash_term: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Name of the payment term of cash-on-delivery orders; without it, the customer's.",
    }),
  ),
})
export type OdooSettings = Static<typeof OdooSettings>
