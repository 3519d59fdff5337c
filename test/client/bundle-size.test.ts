import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { build } from 'esbuild'

const LIMIT_BYTES = 12_000

describe('the size of the client', () => {
  for (const entry of ['browser', 'server', 'webhooks', 'msw'])
    it(`is below 12 kB, compressed: ${entry}`, async () => {
      const { outputFiles } = await build({
        entryPoints: [`src/client/${entry}.ts`],
        bundle: true,
        minify: true,
        format: 'esm',
        external: ['msw'],
        write: false,
      })
      expect(gzipSync(outputFiles[0]!.contents).length).to.be.below(LIMIT_BYTES)
    })
})
