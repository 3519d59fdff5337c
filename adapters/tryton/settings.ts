import { type Static, Type } from 'typebox'

export const TrytonSettings = Type.Object({
  database: Type.String({ minLength: 1 }),
  user: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
  company: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  language: Type.Optional(Type.String({ minLength: 2, default: 'en' })),
  warehouse: Type.Optional(
    Type.String({ minLength: 1, description: 'Code or name of the warehouse to sell from; without it, all.' }),
  ),
  catalog_root: Type.Optional(
    Type.String({ default: 'Catalog', description: 'The category below which the catalog lies.' }),
  ),
  tags_root: Type.Optional(Type.String({ default: 'Tags', description: 'The category whose descendants are tags.' })),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code for addresses in which Tryton has none.' }),
  ),
  cash_term: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Name of the payment term of orders with cash on delivery; without it, the customer's.",
    }),
  ),
  pictures: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What the names of attachments begin with that are public pictures; without it, all images are.',
    }),
  ),
  brand_attribute: Type.Optional(Type.String({ description: 'Needs the module product_attribute.' })),
  mpn_attribute: Type.Optional(Type.String({ description: 'Needs the module product_attribute.' })),
})
export type TrytonSettings = Static<typeof TrytonSettings>
