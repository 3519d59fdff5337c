import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import { ConfigError, type ConfigMistake } from '../../src/config/config-error.ts'
import { parseConfig } from '../../src/config/parse-config-file.ts'

/** Parses the text of a forecourt.yaml. */
export const parse = (text: string, env: Record<string, string> = {}) =>
  parseConfig(text, 'forecourt.yaml', adapters, env)

/** Returns the mistakes of a text; none if it is valid. */
export function findMistakes(text: string, env: Record<string, string> = {}): ConfigMistake[] {
  try {
    parse(text, env)
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as ConfigError).mistakes
  }
  return []
}

export const minimalFile = `
merchants:
  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica }
`
export const key = (fill: number) => Buffer.alloc(32, fill)
export const base64 = (fill: number) => key(fill).toString('base64')
export const secrets = { ACME_TOKEN: 's3cret', KEY: base64(1), HOOK_SECRET: 'a secret of the ERP' }
export const completeFile = `
listen: { host: 0.0.0.0, port: 9000 }
metrics: { port: 9100 }
operations: { host: 10.0.0.5, port: 9200, metrics: true, url: https://ops.acme.example }
tracing: { endpoint: "http://127.0.0.1:4318/v1/traces", sample: 0.25, headers: { X-Key: of-the-collector } }
drain: { delay_seconds: 5, finish_seconds: 20 }
data: /var/lib/forecourt
log: { file: /var/log/forecourt.log, level: warn }
cache: { max_mib: 64 }
webhooks: { key: "\${KEY}", previous_keys: ["${base64(2)}"], ports: [443, 8443], allow: [localhost, "10.1.2.3:9000"] }
feed: { interval_seconds: 30 }
orders: { archive_after_days: 400 }
public_url: https://api.acme.example/parts/
media: { max_mib: 200, allow: [nas.acme.example] }
merchants:
  acme:
    name: Acme Parts
    currency: JMD
    time_zone: America/Jamaica
    bands: { low: 10, hysteresis: 3 }
    mail: { alerts: "Acme <it@acme.example>" }
    hook_secret: "\${HOOK_SECRET}"
    live:
      inventory: &rest { adapter: rest, address: "https://stock.example/acme/", token: "\${ACME_TOKEN}" }
      pricing: { <<: *rest, address: https://prices.example, limits: { timeout_ms: 250, concurrency: 8, queue: 4, per_minute: 600, max_response_mib: 2 } }
    sandbox: {}
`
