import { MAIL_VARIABLE, STORE_VARIABLE, secretSettings } from './environment-variable-names.ts'
import { type InitAnswers, isGiven } from './init-answers.ts'

/** Text in double quotes, which YAML reads as JSON does. */
const quote = (text: string): string => JSON.stringify(text)
const variable = (name: string): string => quote(`\${${name}}`)

/** Renders a configuration file with comments. It contains no secret, only the names of environment variables. */
export function renderConfigFile(answers: InitAnswers): string {
  return `${[...renderServer(answers), ...renderMerchant(answers), ...renderSystems(answers)].join('\n')}\n`
}

function renderServer(answers: InitAnswers): string[] {
  const { proxy, publicUrl, data, port, store, mail, mailFrom, backOffice } = answers
  const proxies = proxy.split(',').map((entry) => quote(entry.trim()))
  return [
    '# Written by forecourt init. `forecourt config check` finds mistakes; docs/merchant-guide.md explains every setting.',
    '# Secrets are in forecourt.env beside this file.',
    `listen: { host: 127.0.0.1, port: ${Number(port)} }`,
    ...(backOffice === 'odoo'
      ? ['# The time limit of a request in ms: at least 100 more than timeout_ms below', 'deadline_ms: 4000']
      : []),
    ...(isGiven(proxy)
      ? ['# Proxies whose X-Forwarded-For is trusted', `trusted_proxies: [${proxies.join(', ')}]`]
      : ['# trusted_proxies: [loopback]   # when a proxy is in front']),
    ...(isGiven(publicUrl)
      ? ['# The API as browsers reach it', `public_url: ${quote(publicUrl)}`]
      : ['# public_url: https://api.shop.example   # the API as browsers reach it']),
    `data: ${/^[\w./-]+$/.test(data) ? data : quote(data)}`,
    store === 'sqlite'
      ? '# store: postgres://…   # without it, SQLite in the data folder'
      : `store: ${variable(STORE_VARIABLE)}`,
    ...(isGiven(mail) ? [`mail: { url: ${variable(MAIL_VARIABLE)}, from: ${quote(mailFrom)} }`] : []),
    ...(backOffice === 'sandbox'
      ? []
      : [
          '# Sandbox keys read an embedded back office, which takes up to 350 MB. With live systems, it is off unless this line is here',
          'embedded_sandbox: true',
        ]),
  ]
}

function renderMerchant({ merchant, name, currency, timeZone, mail }: InitAnswers): string[] {
  return [
    'merchants:',
    `  ${quote(merchant)}:`,
    `    name: ${quote(name)}`,
    `    currency: ${quote(currency)}`,
    `    time_zone: ${quote(timeZone)}`,
    isGiven(mail)
      ? '    registration: verified    # new shoppers prove their email address'
      : '    registration: immediate   # verified needs a mail server: mail.url',
  ]
}

function renderSystems(answers: InitAnswers): string[] {
  const { backOffice, address, pricingAddress, accountingAddress } = answers
  if (backOffice === 'sandbox') return ['    # live:   # your own systems; until you add them, only sandbox keys work']
  if (backOffice === 'rest') {
    const token = variable(secretSettings.rest.variable)
    const system = (name: string, at: string) =>
      `      ${name}: { adapter: rest, address: ${quote(at)}, token: ${token} }`
    return [
      '    live:',
      system('inventory', address),
      system('pricing', pricingAddress),
      system('accounting', accountingAddress),
    ]
  }
  return [
    '    live:',
    '      inventory: &erp',
    ...renderErp(answers, backOffice),
    '      pricing: *erp',
    '      accounting: *erp',
  ]
}

/** The recommendation of docs/odoo.md. */
const odooLimits = [
  'limits:',
  '  timeout_ms: 2500   # the time limit of a call to Odoo in ms',
  '  concurrency: 2     # concurrent calls: the number of workers of Odoo',
]

function renderErp({ address, database, user }: InitAnswers, backOffice: 'tryton' | 'odoo'): string[] {
  const { setting, variable: name } = secretSettings[backOffice]
  const isNeeded = backOffice === 'tryton'
  return [
    `adapter: ${backOffice}`,
    `address: ${quote(address)}`,
    ...(isNeeded || isGiven(database) ? [`database: ${quote(database)}`] : []),
    ...(isNeeded || isGiven(user) ? [`user: ${quote(user)}`] : []),
    `${setting}: ${variable(name)}`,
    ...(backOffice === 'odoo' ? odooLimits : []),
  ].map((line) => `        ${line}`)
}
