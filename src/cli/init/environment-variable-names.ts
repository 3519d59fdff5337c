/** The setting of each adapter that holds its secret, and the environment variable that the file refers to. */
export const secretSettings = {
  rest: { setting: 'token', variable: 'FORECOURT_ERP_TOKEN' },
  tryton: { setting: 'password', variable: 'FORECOURT_ERP_PASSWORD' },
  odoo: { setting: 'api_key', variable: 'FORECOURT_ERP_API_KEY' },
} as const

export const STORE_VARIABLE = 'FORECOURT_STORE'
export const MAIL_VARIABLE = 'FORECOURT_MAIL_URL'
