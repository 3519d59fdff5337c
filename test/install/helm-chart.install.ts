import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { adapters } from '../../src/adapters.ts'
import { readServerConfig } from '../../src/config/read-config.ts'
import { bundleSchemas } from './bundle-schemas.ts'

const run = promisify(execFile)
const chart = resolve(import.meta.dirname, '../../docs/install/helm/forecourt')
const tools = process.env.FORECOURT_INSTALL_TOOLS!
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}` }
const KUBERNETES = ['1.25.0', '1.33.0', '1.37.0']

/** ServiceMonitor is not one of Kubernetes' own kinds, and has no schema here. */
const SCHEMAS = [
  'configmap-v1',
  'secret-v1',
  'service-v1',
  'serviceaccount-v1',
  'deployment-apps-v1',
  'job-batch-v1',
  'ingress-networking-v1',
  'poddisruptionbudget-policy-v1',
  'horizontalpodautoscaler-autoscaling-v2',
]

const values = {
  image: { repository: 'registry.example/forecourt' },
  config: {
    drain: { delay_seconds: 8 },
    merchants: {
      acme: {
        name: 'Acme',
        currency: 'JMD',
        time_zone: 'America/Jamaica',
        live: { inventory: { adapter: 'rest', address: 'https://erp.acme.example', token: `\${ERP_TOKEN}` } },
      },
    },
  },
  secrets: {
    values: {
      FORECOURT_STORE: 'postgres://app:p@db.example/forecourt',
      FORECOURT_WEBHOOKS_KEY: `${'A'.repeat(43)}=`,
      ERP_TOKEN: 't0k"en:#',
    },
  },
}
const everything = {
  ...values,
  ingress: { enabled: true, className: 'nginx', hosts: ['api.acme.example'], tls: [{ secretName: 'tls' }] },
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'shop', operator: 'Exists' }],
}
const existing = {
  ...values,
  secrets: { existing: 'mine' },
  migrate: { existingSecret: 'owner', storeVariable: 'URL' },
}

// biome-ignore lint/suspicious/noExplicitAny: an object of any kind, whose parts the tests name
type Rendered = any

describe('the Helm chart', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-chart-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function renderText(given: unknown, kubernetes = KUBERNETES[1]!): Promise<string> {
    const file = join(folder, 'values.json')
    await writeFile(file, JSON.stringify(given))
    const args = ['template', 'shop', chart, '--values', file, '--kube-version', kubernetes]
    return (await run('helm', args, { env })).stdout
  }

  /** Renders the chart, and returns its objects by kind and name. */
  async function render(given: unknown): Promise<Map<string, Rendered>> {
    const objects = parseAllDocuments(await renderText(given)).map((document) => document.toJS())
    return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]))
  }

  /** Renders the chart with each of these values, and checks all objects against their schemas. */
  async function check(kubernetes: string, ...given: unknown[]) {
    const file = join(folder, 'objects.yaml')
    await writeFile(file, '')
    for (const values of given) await appendFile(file, await renderText(values, kubernetes))
    const from = join(tools, 'schemas', `v${kubernetes}-local-strict`)
    const location = await bundleSchemas(from, join(folder, kubernetes), SCHEMAS)
    const args = ['-strict', '-summary', '-output', 'json', '-skip', 'ServiceMonitor', '-schema-location', location]
    const { stdout } = await run('kubeconform', [...args, file], { env }).catch((error) => error)
    const { resources, summary } = JSON.parse(stdout)
    return { mistakes: (resources ?? []).map(({ msg }: { msg: string }) => msg), ...summary }
  }

  for (const kubernetes of KUBERNETES) {
    it(`is valid for Kubernetes ${kubernetes}`, async () => {
      const found = await check(kubernetes, values, everything, existing)
      expect(found).to.deep.equal({ mistakes: [], valid: 10 + 12 + 8, invalid: 0, errors: 0, skipped: 1 })
    })
  }

  it('is checked so that a misspelt field is noticed', async () => {
    const { mistakes, invalid } = await check(KUBERNETES[1]!, { ...values, affinity: { nodeAfinity: {} } })
    expect(invalid).to.equal(1)
    expect(mistakes[0]).to.match(/'nodeAfinity' not allowed/)
  })

  it('has a configuration that the server accepts, with the secrets', async () => {
    const objects = await render(values)
    const { data } = objects.get('ConfigMap shop-forecourt')
    expect(objects.get('ConfigMap shop-forecourt-migrate').data).to.deep.equal(data)
    const file = join(folder, 'forecourt.yaml')
    await writeFile(file, data['forecourt.yaml'])
    const secrets = objects.get('Secret shop-forecourt').stringData
    expect(secrets).to.deep.equal(values.secrets.values)
    expect(objects.get('Secret shop-forecourt-migrate').stringData).to.deep.equal(secrets)
    Object.assign(process.env, secrets)
    const { config } = readServerConfig(file, adapters)
    for (const name of Object.keys(secrets)) delete process.env[name]
    expect(config.store).to.equal(secrets.FORECOURT_STORE)
    expect(config.drain).to.deep.equal({ delayMs: 8_000, finishMs: 10_000 })
    expect(config.metrics).to.deep.equal({ host: '0.0.0.0', port: 9464 })
    const pod = objects.get('Deployment shop-forecourt').spec.template.spec
    const drainSeconds = (config.drain!.delayMs + config.drain!.finishMs) / 1_000
    expect(pod.terminationGracePeriodSeconds).to.be.above(drainSeconds + 5)
  })

  it('runs without rights, and migrates with the store of the owner', async () => {
    const objects = await render(existing)
    for (const name of ['Deployment shop-forecourt', 'Job shop-forecourt-migrate']) {
      const { spec } = objects.get(name).spec.template
      expect(spec.securityContext).to.include({ runAsNonRoot: true, runAsUser: 10001 })
      expect(spec.containers[0].securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(spec.containers[0].envFrom).to.deep.equal([{ secretRef: { name: 'mine' } }])
    }
    expect(objects.get('Job shop-forecourt-migrate').spec.template.spec.containers[0].env).to.deep.equal([
      { name: 'FORECOURT_STORE', valueFrom: { secretKeyRef: { name: 'owner', key: 'URL' } } },
    ])
  })

  it('routes the API, and has the metrics on a service of their own', async () => {
    const objects = await render(everything)
    const [rule] = objects.get('Ingress shop-forecourt').spec.rules
    const { service } = rule.http.paths[0].backend
    expect(service).to.deep.equal({ name: 'shop-forecourt', port: { name: 'http' } })
    const ports = (name: string) => objects.get(`Service ${name}`).spec.ports.map((port: { name: string }) => port.name)
    expect([ports('shop-forecourt'), ports('shop-forecourt-metrics')]).to.deep.equal([['http'], ['metrics']])
    const { selector, endpoints } = objects.get('ServiceMonitor shop-forecourt').spec
    expect(objects.get('Service shop-forecourt-metrics').metadata.labels).to.include(selector.matchLabels)
    expect(objects.get('Service shop-forecourt').metadata.labels).to.not.have.property('forecourt/part')
    expect(endpoints).to.deep.equal([{ port: 'metrics', path: '/metrics', interval: '15s' }])
    expect(objects.get('Deployment shop-forecourt').spec).to.not.have.property('replicas')
  })

  it('refuses values that are missing or unknown', async () => {
    const refused = (given: unknown) =>
      renderText(given).then(
        () => expect.fail('it was rendered'),
        (error: { stderr: string }) => error.stderr,
      )
    expect(await refused({})).to.match(/at '\/config': missing property 'merchants'/)
    expect(await refused({ ...values, replica: 3 })).to.match(/additional properties 'replica' not allowed/)
    expect(await refused({ ...values, secrets: {} })).to.match(/secrets\.values\.FORECOURT_STORE is missing/)
  })

  it('has no warnings of helm lint', async () => {
    await renderText(everything)
    const args = ['lint', chart, '--strict', '--values', join(folder, 'values.json'), '--kube-version', KUBERNETES[1]!]
    expect((await run('helm', args, { env })).stdout).to.include('1 chart(s) linted, 0 chart(s) failed')
  })

  it('has values that are all documented', async () => {
    const { stdout } = await run('helm', ['show', 'values', chart], { env })
    const { stdout: schema } = await run('cat', [join(chart, 'values.schema.json')])
    const known = Object.keys(JSON.parse(schema).properties).filter((name) => name !== 'global')
    expect(Object.keys(parse(stdout)).toSorted()).to.deep.equal(known.toSorted())
  })
})
