import { type Static, Type } from 'typebox'
import { emptyOr, OdooDatetime, OdooId, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Specification } from '../client/rpc.ts'

export const AddressRow = Type.Object({
  id: OdooId,
  street: OdooText,
  street2: OdooText,
  city: OdooText,
  zip: OdooText,
  state_id: emptyOr(Type.Object({ id: OdooId, name: Type.String() })),
  country_id: emptyOr(Type.Object({ id: OdooId, code: Type.String() })),
})
export type AddressRow = Static<typeof AddressRow>

export const addressSpecification: Specification = {
  street: {},
  street2: {},
  city: {},
  zip: {},
  state_id: { fields: { name: {} } },
  country_id: { fields: { code: {} } },
}

/** The contact that holds the debts of a company and all of its contacts. */
export const CommercialPartner = Type.Object({
  id: OdooId,
  name: OdooText,
  is_company: Type.Boolean(),
  credit_limit: Type.Number(),
})

const PartnerRow = Type.Object({
  ...AddressRow.properties,
  name: OdooText,
  email: OdooText,
  email_normalized: OdooText,
  phone: OdooText,
  ref: OdooText,
  active: Type.Boolean(),
  is_company: Type.Boolean(),
  company_name: OdooText,
  commercial_partner_id: CommercialPartner,
  create_date: OdooDatetime,
  child_ids: Type.Array(Type.Object({ ...AddressRow.properties, type: OdooText })),
})
export type PartnerRow = Static<typeof PartnerRow>
export const PartnerRows = foundShape(PartnerRow)

export const partnerSpecification: Specification = {
  ...addressSpecification,
  name: {},
  email: {},
  email_normalized: {},
  phone: {},
  ref: {},
  active: {},
  is_company: {},
  company_name: {},
  commercial_partner_id: { fields: { name: {}, is_company: {}, credit_limit: {} } },
  create_date: {},
  child_ids: { fields: { ...addressSpecification, type: {} } },
}
