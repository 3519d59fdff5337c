import { createStaticDocument, type StaticDocument } from '../../http/responses/static-document.ts'

export interface ShopSettings {
  name: string
  /** The address of the API. */
  address: string
  publishableKey: string
  secretKey: string
  /** Pictures come from here. */
  pictureOrigin: string
  operationsAddress: string | null
  /** The API has no list of products yet. */
  isCatalogLoading(): boolean
}

/** Everything comes from this server, except the pictures. Only lit-html makes HTML of texts: of its templates, never of what they are filled with. */
export const createContentSecurityPolicy = ({ pictureOrigin }: ShopSettings): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'",
    `img-src 'self' ${pictureOrigin}; connect-src 'self'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types lit-html",
  ].join('; ')

const escapeAttribute = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const LOADING = '<h1>The catalog is being loaded</h1><p>The shop opens by itself in a few seconds.</p>'

/** The frame of all pages. `main.ts` fills it. The settings are attributes of its script. `null`: the catalog is being loaded. */
export function createShopPage(settings: ShopSettings, mainScript: string | null): StaticDocument {
  const name = escapeAttribute(settings.name)
  const script = `<script type="module" src="/shop/assets/${mainScript}" id="settings" data-name="${name}" data-key="${escapeAttribute(settings.publishableKey)}" data-operations="${escapeAttribute(settings.operationsAddress ?? '')}"></script>`
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="stylesheet" href="/shop/assets/shop/pages/shop.css">
<link rel="icon" href="/shop/assets/shop/pages/icon.svg">
${mainScript ? script : ''}
</head>
<body>
<a class="skip" href="#page">Skip to the content</a>
<header class="top">
<a href="/shop" class="brand">${name}</a>
<form id="search" role="search" class="search"></form>
<nav id="account" aria-label="Account"></nav>
</header>
<main id="page" tabindex="-1">${mainScript ? '<noscript>This shop needs JavaScript.</noscript>' : LOADING}</main>
<aside id="sandbox" aria-label="Sandbox"></aside>
<p id="announcement" role="status" class="unseen"></p>
</body>
</html>
`
  return createStaticDocument(page, { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache' })
}
