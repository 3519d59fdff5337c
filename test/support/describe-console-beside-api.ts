import { type ConsoleBesideApi, startConsoleBesideApi } from '../console/console-beside-api.ts'
import { stores } from './stores.ts'

/** Describes an API with its operations listener, over each kind of store. The tests share one, which is started before the first of them. */
export function describeConsoleBesideApi(name: string, tests: (site: ConsoleBesideApi) => void): void {
  for (const store of stores())
    describe(`${name}: ${store.name}`, () => {
      const site = {} as ConsoleBesideApi
      before(async () => {
        await store.open()
        Object.assign(site, await startConsoleBesideApi(store.url()))
      })
      after(async () => {
        await site[Symbol.asyncDispose]()
        await store.close()
      })
      tests(site)
    })
}
