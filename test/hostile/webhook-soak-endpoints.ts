import { createSeededRandom } from '../crash/seeded-random.ts'
import { startWebhookEndpoints } from '../crash/webhook-endpoints.ts'

// The endpoints of the soak, in a process of their own: their memory is not measured.
const endpoints = await startWebhookEndpoints(createSeededRandom(1))
process.send!(endpoints.url(''))
process.once('disconnect', () => process.exit())
