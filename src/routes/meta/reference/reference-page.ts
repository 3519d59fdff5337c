import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { sendResponse } from '../../../http/responses/send-response.ts'

const NONCE_BYTES = 16

/** Sends the page of the API reference. Its nonce is new in each response, so the page is the one part that no cache keeps. */
export function sendReferencePage(ctx: Context): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  sendResponse(ctx, {
    status: 200,
    body: createPage(nonce),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-store',
    headers: {
      'Content-Security-Policy': createPolicy(nonce),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  })
}

/** All files come from this process. Scripts are never inline, and styles need the nonce. */
const createPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

// The renderer reads the nonce of its own style sheet from the content of `csp-nonce`.
const createPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<title>Forecourt API reference</title>
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/start.js"></script>
<script defer src="/docs/scalar.js"></script>
</head>
<body>
<noscript>The reference needs JavaScript. The same document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
</body>
</html>
`
