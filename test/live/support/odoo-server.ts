import type { OdooLogin } from '../../support/odoo/connect-odoo.ts'

/** Returns the Odoo of the environment: its address, and the API keys of Forecourt's user and of an administrator. */
export function odooServer(): { storefront: OdooLogin; clerk: OdooLogin } {
  const { ODOO_ADDRESS: address, ODOO_API_KEY: apiKey, ODOO_CLERK_KEY: clerkKey } = process.env
  if (!address || !apiKey || !clerkKey) throw new Error('set ODOO_ADDRESS, ODOO_API_KEY and ODOO_CLERK_KEY')
  return { storefront: { address, apiKey }, clerk: { address, apiKey: clerkKey } }
}
