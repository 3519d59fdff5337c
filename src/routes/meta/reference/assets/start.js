/* Starts the API reference. The policy of the page allows neither inline styles nor other hosts. */
const nonce = document.querySelector('meta[property=csp-nonce]').content

// The renderer creates style elements: this page’s nonce allows them, and them alone.
const createElement = document.createElement.bind(document)
document.createElement = (name, options) => {
  const element = createElement(name, options)
  if (String(name).toLowerCase() === 'style') element.nonce = nonce
  return element
}
// A style that a script sets as a property is allowed, and as an attribute it is not.
const { setAttribute } = Element.prototype
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

// Highlighted code arrives as markup, with the width of its line numbers as an attribute.
const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
Object.defineProperty(Element.prototype, 'innerHTML', {
  configurable: true,
  get,
  set(html) {
    set.call(this, String(html).replace(/ style="--line-count: \d+; --line-digits: \d+;?"/g, ''))
  },
})

const KEPT = { authorization: 'forecourt-key', 'x-storefront-shopper-token': 'forecourt-shopper-token' }
const readKept = (header) => sessionStorage.getItem(KEPT[header]) ?? ''

/** Keeps the credentials of a request until the tab is closed. */
function keepCredentials({ request }) {
  for (const [header, name] of Object.entries(KEPT)) {
    const value = request.headers.get(header)?.replace(/^Bearer /, '')
    if (value) sessionStorage.setItem(name, value)
  }
}

// A link of the demo brings its test key, in the part of the address that browsers do not send.
const linkedKey = new URLSearchParams(location.hash.slice(1)).get('key')
if (linkedKey !== null) {
  history.replaceState(null, '', location.pathname)
  if (linkedKey.startsWith('svc_test_')) sessionStorage.setItem(KEPT.authorization, linkedKey)
}

const securitySchemes = {
  apiKey: { token: readKept('authorization') },
  shopperToken: { value: readKept('x-storefront-shopper-token') },
}

addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', {
    url: '/docs/reference.json',
    // The renderer would join the server "/" of the document and a path with two slashes.
    servers: [{ url: location.origin }],
    authentication: { securitySchemes },
    onRequestBuilt: keepCredentials,
    // The samples of the document are the ones to show: curl and the client.
    hiddenClients: true,
    documentDownloadType: 'none',
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
  })
})
