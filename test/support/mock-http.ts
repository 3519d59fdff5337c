import nock from 'nock'

/** Mocks HTTP with nock, which patches it for the whole process: these tests (`test/nock`) run in their own mocha, without real calls. */
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
