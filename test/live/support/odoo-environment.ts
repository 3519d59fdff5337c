import type { OdooLogin } from '../../support/odoo/connect-odoo.ts'

/**
 * Returns the Odoo of the environment: its address, and the API keys of Forecourt's user and of an administrator. Odoo 18
 * and below need the database and the logins too.
 */
export function odooAccess(): { storefront: OdooLogin; clerk: OdooLogin } {
  const { ODOO_ADDRESS: address, ODOO_API_KEY: apiKey, ODOO_CLERK_KEY: clerkKey } = process.env
  const { ODOO_DATABASE: database, ODOO_USER: user, ODOO_CLERK: clerkUser } = process.env
  if (!address || !apiKey || !clerkKey) throw new Error('set ODOO_ADDRESS, ODOO_API_KEY and ODOO_CLERK_KEY')
  return {
    storefront: { address, apiKey, database, user },
    clerk: { address, apiKey: clerkKey, database, user: clerkUser },
  }
}

/** True with `ODOO_VERSION=16`: some requirements hold in another way there. */
export const isOdoo16 = () => process.env.ODOO_VERSION === '16'

/**
 * Returns what a test may kill of the Odoo: its workers, with the file of its process id, and its connections to PostgreSQL,
 * with the address of the database as a user who may end them. Without these variables, it kills neither.
 */
export const odooProcesses = () => ({
  pidFile: process.env.ODOO_PID_FILE || null,
  postgres: process.env.ODOO_POSTGRES || null,
})
