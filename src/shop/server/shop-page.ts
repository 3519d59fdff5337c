import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStaticDocument, type StaticDocument } from '../../http/responses/static-document.ts'

export interface ShopSettings {
  name: string
  /** The address of the API. */
  address: string
  publishableKey: string
  secretKey: string
  /** Signs the events that Forecourt posts to the shop. */
  webhookSecret: string
  pictureOrigin: string
  operationsAddress: string | null
}

const frame = readFileSync(join(import.meta.dirname, 'shop-page.html'), 'utf8')

/** Everything comes from this server, except the pictures. Only lit-html makes HTML of texts: of its templates, never of what they are filled with. */
export const createContentSecurityPolicy = ({ pictureOrigin }: ShopSettings): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'",
    `img-src 'self' ${pictureOrigin}; connect-src 'self'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types lit-html",
  ].join('; ')

const escapeAttribute = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The frame of all pages. `main.ts` fills it. The settings are attributes of its script. */
export function createShopPage(settings: ShopSettings, main: string): StaticDocument {
  const values: Record<string, string | null> = { ...settings, main }
  const page = frame.replace(/{(\w+)}/g, (_, part) => escapeAttribute(values[part] ?? ''))
  return createStaticDocument(page, { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache' })
}
