import type { ExampleCaller } from './example-caller.ts'

/** Reads the catalog with a publishable key. */
export async function callCatalog({ call }: ExampleCaller): Promise<void> {
  await call('ping')
  await call('listProducts', { query: { q: 'brake pads', facets: ['brand'], limit: 2 } })
  await call('listProducts', { query: { updated_since: '2026-01-01T00:00:00Z', limit: 200 }, form: 'changes' })
  await call('getProduct', { params: { sku: 'BP-1001' } })
  await call('suggest', { query: { q: 'brake', limit: 2 } })
  await call('lookUpNumber', { query: { number: 'BP 1001' } })
  await call('getCategories')
  await call('getTags')
  await call('getAvailability', { params: { sku: 'BP-1004' } })
  await call('getAvailabilityBatch', { request: { skus: ['BP-1001', 'BP-1004', 'BP-1010'] } })
  await callVehicles(call)
}

async function callVehicles(call: ExampleCaller['call']): Promise<void> {
  await call('listVehicleYears')
  await call('listVehicleMakes', { query: { year: 2014 } })
  const models = await call('listVehicleModels', { query: { year: 2014, make: 'Honda' } })
  const vehicle_id = models.data.find((model: { vehicle_id?: number }) => model.vehicle_id)?.vehicle_id
  await call('listVehicleProducts', { params: { vehicle_id }, query: { limit: 2 } })
  await call('listProductFitments', { params: { sku: 'BP-1001' }, query: { limit: 2 } })
}
