import nock from 'nock'

/** nock changes HTTP for the whole process: what uses it runs in a mocha of its own (`test/recorded`), and lets no call out. */
export function mockHttp(address: string): { system: nock.Scope; end(): void } {
  nock.disableNetConnect()
  return {
    system: nock(address),
    end() {
      nock.abortPendingRequests()
      nock.cleanAll()
    },
  }
}
