import { changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

export const pictureMutants = mutantsOf(
  'inventory.picture',
  [
    'returns a picture with another version than its product',
    'in the version of its URL',
    changeResult('inventory.picture', (picture) => picture && { ...picture, version: 'now' }),
  ],
  [
    'returns a placeholder for a picture that does not exist',
    'unknown picture',
    changeResult(
      'inventory.picture',
      (picture) => picture ?? { version: '1', url: 'https://erp.example/placeholder.png' },
    ),
  ],
)
