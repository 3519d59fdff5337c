import { type Static, Type } from 'typebox'
import { MAX_VARIANT_OPTIONS } from '../../src/ports/inventory.ts'

export const TrytonSettings = Type.Object({
  database: Type.String({ minLength: 1 }),
  user: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
  company: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  language: Type.Optional(Type.String({ minLength: 2, default: 'en' })),
  warehouse: Type.Optional(
    Type.String({ minLength: 1, description: 'Code or name of the warehouse to sell from; without it, all.' }),
  ),
  branches: Type.Optional(
    Type.Boolean({ description: 'Show the band of each warehouse. One more call per warehouse. Default: false.' }),
  ),
  catalog_root: Type.Optional(Type.String({ default: 'Catalog', description: 'The root category of the catalog.' })),
  tags_root: Type.Optional(Type.String({ default: 'Tags', description: 'The root category of tags.' })),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code for addresses without a country in Tryton.' }),
  ),
  cash_term: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Name of the payment term of cash-on-delivery orders; without it, the customer's.",
    }),
  ),
  web_shop: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Name of the web shop that orders belong to, from Tryton 7.6 on; without it, the only one.',
    }),
  ),
  pictures: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Prefix of the names of attachments that are public pictures; without it, all images are public.',
    }),
  ),
  brand_attribute: Type.Optional(Type.String({ description: 'Requires the module product_attribute.' })),
  mpn_attribute: Type.Optional(Type.String({ description: 'Requires the module product_attribute.' })),
  option_attributes: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ minLength: 1, maxLength: 100 }), {
      maxProperties: MAX_VARIANT_OPTIONS,
      description:
        'Attributes that distinguish the variants of a product, with the names that shoppers see. Requires the module product_attribute.',
    }),
  ),
})
export type TrytonSettings = Static<typeof TrytonSettings>
