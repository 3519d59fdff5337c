import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { certificates } from '../webhooks/tls-certificates.ts'

const install = resolve(import.meta.dirname, '../../docs/install')
const read = (name: string) => readFileSync(join(install, name), 'utf8')

describe('the compose file', () => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true })
  const servers = ['forecourt-1', 'forecourt-2']

  it('runs Forecourt without rights, on a read-only root, after the migration', () => {
    for (const name of servers) {
      const server = services[name]
      expect(server).to.deep.include({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp:mode=1777'] })
      expect(server.security_opt).to.deep.equal(['no-new-privileges:true'])
      expect(server.depends_on).to.deep.equal({ migrate: { condition: 'service_completed_successfully' } })
    }
    expect(services.migrate.command[0]).to.equal('migrate')
    expect(services.migrate.depends_on).to.deep.equal({ postgres: { condition: 'service_healthy' } })
  })

  it('has the addresses that nginx and the store have', () => {
    const [{ subnet }] = networks.shop.ipam.config
    const addressOf = (name: string): string => services[name].networks.shop.ipv4_address
    for (const name of [...servers, 'nginx', 'postgres'])
      expect(addressOf(name).startsWith(subnet.replace(/0\/24$/, ''))).to.equal(true)
    const upstreams = [...read('nginx.conf').matchAll(/^ {2}server (\S+):8080 fail_timeout=1s;$/gm)].map(
      ([, address]) => address,
    )
    expect(upstreams).to.deep.equal(servers.map(addressOf))
    expect(services.migrate.environment.FORECOURT_STORE).to.include(`@${addressOf('postgres')}/`)
  })

  it('has an nginx configuration that nginx accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-nginx-'))
    try {
      const { cert, key } = certificates.localhost
      writeFileSync(join(folder, 'api.pem'), cert)
      writeFileSync(join(folder, 'api.key'), key)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      const server = read('nginx.conf').replaceAll('/etc/nginx/tls', folder)
      writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid; events {} http { ${paths.join(' ')}\n${server} }`)
      const { error, status, stderr } = spawnSync('nginx', [
        '-t',
        '-e',
        'stderr',
        '-p',
        folder,
        '-c',
        join(folder, 'nginx.conf'),
      ])
      if (error && process.env.CI !== 'true') return
      expect([status, String(stderr)]).to.deep.equal([0, String(stderr)])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the Dockerfile', () => {
  it('copies only what .dockerignore lets in', () => {
    const ignored = readFileSync(resolve(install, '../../.dockerignore'), 'utf8').split('\n')
    expect(ignored).to.include('*')
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    )
    for (const name of copied.filter((one) => one !== '.')) expect(ignored).to.include(`!${name}`)
  })

  it('has no user with rights and no shell at its end', () => {
    const last = read('Dockerfile')
      .split(/^FROM /m)
      .at(-1)!
    expect(last)
      .to.match(/^scratch\n/)
      .and.include('\nUSER 10001:10001\n')
    expect(last.match(/^(ENTRYPOINT|CMD) (?!\[)/m)).to.equal(null)
  })
})
